package transaction

import (
	"punchcard/core/store"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// Limits of a transaction.
const (
	ItemLimit  = 1000 // items
	LabelLimit = 100  // labels of a transaction, and of each item

	textLimit      = 255                                       // characters of every text
	quantityDigits = 3                                         // after the point
	quantityLimit  = 1_000_000_000_000                         // exclusive bound of an item's quantity, in thousandths
	valueLimit     = int64(decimal.Money(10_000_000_000_0000)) // exclusive bound of an item's value
)

var (
	errManyLabels      = form.TooMany.With(LabelLimit)
	errNegative        = fault.New(fault.Fields, "negative_total", "The total of the lines should be 0 or more.")
	errNothingFilledIn = fault.New(fault.Fields, "nothing_filled_in", "Fill at least one customer field")
)

// readForm reads the form of a new transaction. value are further rules of the values of items.
func readForm(g *form.Group, s *store.Store, value ...form.Rule) Transaction {
	return readSent(g, s, value, form.NotBlank)
}

// readSent is readForm with rules of the name in the customer's data.
func readSent(g *form.Group, s *store.Store, value []form.Rule, name ...form.Rule) Transaction {
	t := readDocument(g, s, form.NotBlank)
	t.Items = readItems(g, s, value...)
	t.CustomerData = readCustomer(g.Group("customerData"), name...)
	t.POSID = readPOS(g)
	t.Labels = readLabels(g, "labels")
	return t
}

// readDraft reads the form of a new transaction. One that names its customer need not have their data.
func readDraft(g *form.Group, s *store.Store, named bool) Draft {
	if !named {
		return Draft{Store: s, Transaction: readForm(g, s)}
	}
	name := g.Key("customer", form.MaxLength(textLimit))
	return Draft{Store: s, Customer: name, Transaction: readSent(g, s, nil)}
}

// readAtTill reads the form of a new transaction of a seller, who may name the customer by id. Amounts must not have
// more digits than the currency.
func readAtTill(g *form.Group, s *store.Store, number ...form.Rule) tillDocument {
	t := readDocument(g, s, number...)
	t.Items = readItems(g, s, form.AtMostDigits(s.MoneyDigits()))
	t.CustomerData = readCustomer(g.Group("customerData"))
	t.Labels = readLabels(g, "labels")
	return tillDocument{t, g.UUID("customerId")}
}

// readDocument reads all but the items, the customer, the point of sale and the labels. number are rules of
// the document number.
func readDocument(g *form.Group, s *store.Store, number ...form.Rule) Transaction {
	var t Transaction
	data := g.Group("transactionData")
	t.DocumentNumber = data.Key("documentNumber", append(number, form.MaxLength(textLimit))...)
	if t.Type = data.Choice("documentType", []string{Sell, Return}); t.Type == "" {
		t.Type = Sell
	}
	t.PurchasedAt = data.DateTime("purchaseDate", s.Zone).UTC()
	t.PurchasePlace = data.Text("purchasePlace", form.MaxLength(textLimit))
	t.RevisedDocument = g.Key("revisedDocument", form.MaxLength(textLimit))
	if t.Type == Sell {
		t.RevisedDocument = ""
	}
	return t
}

// readPOS reads the point of sale from whichever field was sent.
func readPOS(g *form.Group) string { return g.UUID(posField(g)) }

// posField returns the name of the field with the point of sale.
func posField(g *form.Group) string {
	if g.Submitted("posId") && !g.Submitted("pos") {
		return "posId"
	}
	return "pos"
}

// readItems reads the items. value are further rules of their values.
func readItems(g *form.Group, s *store.Store, value ...form.Rule) []Item {
	groups := readRows(g)
	items, total := make([]Item, len(groups)), decimal.Money(0)
	for i, line := range groups {
		items[i] = Item{
			SKU:  SKU{line.Group("sku").Key("code", form.NotBlank, form.MaxLength(textLimit))},
			Name: line.Text("name", form.NotBlank, form.MaxLength(textLimit)),
			Quantity: decimal.Thousandths(line.Decimal("quantity", quantityDigits, form.NotBlank, form.GreaterThan(0),
				form.LessThan(quantityLimit), form.AtMostDigits(quantityDigits))),
			GrossValue: s.ReadMoney(line, "grossValue",
				append(value, form.NotBlank, form.GreaterThan(-valueLimit), form.LessThan(valueLimit))...),
			Category: line.Key("category", form.NotBlank, form.MaxLength(textLimit)),
			Maker:    line.Key("maker", form.MaxLength(textLimit)),
			Labels:   readLabels(line, "labels"),
		}
		total += items[i].GrossValue
	}
	if total < 0 {
		g.AddError("items", errNegative)
	}
	return items
}

// readRows returns the groups of the items. It adds an error if there are none, or more than ItemLimit.
func readRows(g *form.Group) []*form.Group {
	groups := g.Groups("items")
	switch {
	case len(groups) == 0 && !g.Failed("items"):
		g.AddError("items", form.NoItems)
	case len(groups) > ItemLimit:
		g.AddError("items", form.TooMany.With(ItemLimit))
		groups = nil
	}
	return groups
}

// ReadBasket reads the items of a basket that is not paid yet. Only their values are required, and none is negative.
func ReadBasket(g *form.Group, s *store.Store) []Item {
	groups := readRows(g)
	items := make([]Item, len(groups))
	for i, line := range groups {
		items[i] = Item{
			SKU:      SKU{line.Group("sku").Key("code", form.MaxLength(textLimit))},
			Name:     line.Text("name", form.MaxLength(textLimit)),
			Quantity: 1000,
			GrossValue: s.ReadMoney(line, "grossValue",
				form.AtMostDigits(s.MoneyDigits()), form.NotBlank, form.AtLeast(0), form.LessThan(valueLimit)),
			Category: line.Key("category", form.MaxLength(textLimit)),
			Labels:   readLabels(line, "labels"),
		}
		if line.Submitted("quantity") {
			items[i].Quantity = decimal.Thousandths(line.Decimal("quantity", quantityDigits, form.NotBlank,
				form.GreaterThan(0), form.LessThan(quantityLimit), form.AtMostDigits(quantityDigits)))
		}
	}
	return items
}

func readCustomer(g *form.Group, name ...form.Rule) CustomerData {
	text := func(of *form.Group, name string, rules ...form.Rule) string {
		return of.Text(name, append(rules, form.MaxLength(textLimit))...)
	}
	key := func(name string) string { return g.Key(name, form.MaxLength(textLimit)) }
	c := CustomerData{
		Name: text(g, "name", name...), Email: keytext.Fold(key("email")), Phone: key("phone"),
		LoyaltyCard: key("loyaltyCardNumber"), NIP: text(g, "nip"),
	}
	of := g.Group("address")
	address := Address{
		Street: text(of, "street"), Address1: text(of, "address1"), Address2: text(of, "address2"),
		Postal: text(of, "postal"), City: text(of, "city"), Province: text(of, "province"),
		Country: text(of, "country"),
	}
	if address != (Address{}) {
		c.Address = &address
	}
	return c
}

// readLabels reads a list of labels. Labels without a key are left out.
func readLabels(g *form.Group, name string) []Label {
	labels := []Label{}
	for i, entry := range g.Groups(name) {
		if i == LabelLimit {
			g.AddError(name, errManyLabels)
			break
		}
		label := Label{
			Key:   entry.Key("key", form.MaxLength(textLimit)),
			Value: entry.Key("value", form.MaxLength(textLimit)),
		}
		if label.Key != "" {
			labels = append(labels, label)
		}
	}
	return labels
}

// readSimulation reads the form of a simulation: a sale with data that identifies the customer. Its date is outside
// of transactionData.
func readSimulation(g *form.Group, s *store.Store) Transaction {
	t := Transaction{
		Type: Sell, PurchasedAt: g.DateTime("purchaseDate", s.Zone).UTC(), Items: readItems(g, s), POSID: readPOS(g),
	}
	of := g.Group("customerData")
	t.CustomerData = readCustomer(of)
	if t.CustomerData.Email == "" && t.CustomerData.Phone == "" && t.CustomerData.LoyaltyCard == "" {
		of.AddFormError(errNothingFilledIn)
	}
	return t
}

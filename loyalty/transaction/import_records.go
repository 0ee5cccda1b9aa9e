package transaction

import (
	"errors"
	"slices"
	"strings"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/pos"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// transactionRecord is a transaction in an imported file. Its JSON is the form of a new transaction.
type transactionRecord struct {
	DocumentNumber  string         `xml:"documentNumber" json:"documentNumber"`
	DocumentType    string         `xml:"documentType" json:"documentType"`
	PurchaseDate    string         `xml:"purchaseDate" json:"purchaseDate"`
	PurchasePlace   string         `xml:"purchasePlace" json:"purchasePlace"`
	RevisedDocument string         `xml:"revisedDocument" json:"-"`
	POSID           string         `xml:"posId" json:"-"`
	POSIdentifier   string         `xml:"posIdentifier" json:"-"`
	Customer        customerRecord `xml:"customer" json:"-"`
	Items           []itemRecord   `xml:"items>item" json:"-"`
	Labels          []labelRecord  `xml:"labels>label" json:"-"`
	LabelText       string         `xml:"-" json:"-"` // labels of a CSV file, as key:value;key:value
	Contradicted    []string       `xml:"-" json:"-"` // columns in which lines of a CSV file differ
}

type customerRecord struct {
	Name              string        `xml:"name" json:"name"`
	Email             string        `xml:"email" json:"email"`
	Phone             string        `xml:"phone" json:"phone"`
	LoyaltyCardNumber string        `xml:"loyaltyCardNumber" json:"loyaltyCardNumber"`
	NIP               string        `xml:"nip" json:"nip"`
	Address           addressRecord `xml:"address" json:"address"`
}

type addressRecord struct {
	Street   string `xml:"street" json:"street"`
	Address1 string `xml:"address1" json:"address1"`
	Address2 string `xml:"address2" json:"address2"`
	Postal   string `xml:"postal" json:"postal"`
	City     string `xml:"city" json:"city"`
	Province string `xml:"province" json:"province"`
	Country  string `xml:"country" json:"country"`
}

type itemRecord struct {
	SKU        skuRecord     `xml:"sku" json:"sku"`
	Name       string        `xml:"name" json:"name"`
	Quantity   string        `xml:"quantity" json:"quantity"`
	GrossValue string        `xml:"grossValue" json:"grossValue"`
	Category   string        `xml:"category" json:"category"`
	Maker      string        `xml:"maker" json:"maker"`
	Labels     []labelRecord `xml:"labels>label" json:"labels"`
	LabelText  string        `xml:"-" json:"-"`
}

type skuRecord struct {
	Code string `xml:"code" json:"code"`
}

type labelRecord struct {
	Key   string `xml:"key" json:"key"`
	Value string `xml:"value" json:"value"`
}

// Identifier returns the document number.
func (r *transactionRecord) Identifier() string { return keytext.Clean(r.DocumentNumber) }

// RefersTo returns the number of the sale that a return revises.
func (r *transactionRecord) RefersTo() string { return keytext.Clean(r.RevisedDocument) }

// documentNames are other names of the column with the document number.
var documentNames = []string{"number", "order number", "receipt number", "receipt",
	"invoice number", "numer dokumentu", "numer paragonu", "belegnummer", "numéro"}

// Columns returns the columns of a line, which has one item.
func (r *transactionRecord) Columns() []dataimport.Column {
	if len(r.Items) == 0 {
		r.Items = []itemRecord{{}}
	}
	who, address, item := &r.Customer, &r.Customer.Address, &r.Items[0]
	return []dataimport.Column{
		{Name: "documentNumber", Text: &r.DocumentNumber, Also: documentNames},
		{Name: "documentType", Text: &r.DocumentType},
		{Name: "purchaseDate", Text: &r.PurchaseDate, Type: dataimport.DateTime,
			Also: []string{"date", "order date", "data", "datum", "fecha"}}, {Name: "purchasePlace", Text: &r.PurchasePlace},
		{Name: "revisedDocument", Text: &r.RevisedDocument},
		{Name: "posId", Text: &r.POSID}, {Name: "posIdentifier", Text: &r.POSIdentifier},
		{Name: "customer.name", Text: &who.Name},
		{Name: "customer.email", Text: &who.Email, Also: dataimport.EmailNames},
		{Name: "customer.phone", Text: &who.Phone, Also: dataimport.PhoneNames},
		{Name: "customer.loyaltyCardNumber", Text: &who.LoyaltyCardNumber, Also: dataimport.CardNames},
		{Name: "customer.nip", Text: &who.NIP}, {Name: "customer.address.street", Text: &address.Street},
		{Name: "customer.address.address1", Text: &address.Address1},
		{Name: "customer.address.address2", Text: &address.Address2},
		{Name: "customer.address.postal", Text: &address.Postal}, {Name: "customer.address.city", Text: &address.City},
		{Name: "customer.address.province", Text: &address.Province},
		{Name: "customer.address.country", Text: &address.Country},
		{Name: "item.sku.code", Text: &item.SKU.Code, Also: []string{"sku", "item sku", "ean", "artikelnummer"}},
		{Name: "item.name", Text: &item.Name,
			Also: []string{"item", "product", "product name", "produkt", "artikel", "produit"}},
		{Name: "item.quantity", Text: &item.Quantity, Type: dataimport.Number, Also: []string{"quantity", "ilość", "menge"}},
		{Name: "item.grossValue", Text: &item.GrossValue, Type: dataimport.Number, Unit: dataimport.Money,
			Also: []string{"gross value", "total", "line total", "amount", "wartość brutto", "kwota", "betrag", "montant",
				"importe"}},
		{Name: "item.category", Text: &item.Category}, {Name: "item.maker", Text: &item.Maker},
		{Name: "item.labels", Text: &item.LabelText}, {Name: "labels", Text: &r.LabelText},
	}
}

// Join adds the item of a line with the same document number, and what only this line says about the document.
func (r *transactionRecord) Join(next dataimport.Record) bool {
	line := next.(*transactionRecord)
	if r.Identifier() == "" || line.Identifier() != r.Identifier() {
		return false
	}
	said := line.Columns()
	for i, column := range r.Columns() {
		known, text := strings.TrimSpace(*column.Text), strings.TrimSpace(*said[i].Text)
		switch {
		case strings.HasPrefix(column.Name, "item."), text == "", text == known:
		case known == "":
			*column.Text = *said[i].Text
		case !slices.Contains(r.Contradicted, column.Name):
			r.Contradicted = append(r.Contradicted, column.Name)
		}
	}
	r.Items = append(r.Items, line.Items...)
	return true
}

// draft returns the document of the record. Invalid fields are an error, and so are amounts with more digits than the
// currency has. places are the points of sale that other records named, by identifier.
func (r *transactionRecord) draft(tx *db.Tx, s *store.Store, places map[string]pos.POS) (draft Transaction, err error) {
	g, err := r.form()
	if err != nil {
		return draft, err
	}
	draft = readForm(g, s, form.AtMostDigits(s.MoneyDigits()))
	for _, column := range r.Contradicted {
		g.AddError(column, errContradicted)
	}
	if identifier := keytext.Clean(r.POSIdentifier); draft.POSID == "" && identifier != "" {
		p, found := places[identifier]
		if !found {
			if p, found, err = pos.FindByIdentifier(tx, s.Key, identifier); err != nil {
				return draft, err
			}
		}
		if draft.POSID = p.ID; !found {
			g.AddError("posIdentifier", errUnknownPOS)
		} else {
			places[identifier] = p
		}
	}
	return draft, g.Err()
}

// form converts the record to the form that a client would have sent.
func (r *transactionRecord) form() (*form.Group, error) {
	items, labels := slices.Clone(r.Items), append(r.Labels, labelsOf(r.LabelText)...)
	for i := range items {
		items[i].Labels = append(items[i].Labels, labelsOf(items[i].LabelText)...)
	}
	return dataimport.Form(map[string]any{
		"transactionData": r, "revisedDocument": r.RevisedDocument, "items": items, "customerData": r.Customer,
		"posId": r.POSID, "labels": labels,
	})
}

func labelsOf(text string) (labels []labelRecord) {
	for _, label := range customer.LabelsOfFile(text) {
		labels = append(labels, labelRecord(label))
	}
	return labels
}

// assignmentRecord is an assignment in an imported file. Its JSON is the form of an assignment, with the customer's
// e-mail address as a further field.
type assignmentRecord struct {
	Number      string `xml:"transactionDocumentNumber" json:"transactionDocumentNumber"`
	CustomerID  string `xml:"customerId" json:"customerId"`
	Email       string `xml:"customerEmail" json:"customerEmail"`
	Phone       string `xml:"customerPhoneNumber" json:"customerPhoneNumber"`
	LoyaltyCard string `xml:"customerLoyaltyCardNumber" json:"customerLoyaltyCardNumber"`
}

// Identifier returns the document number.
func (r *assignmentRecord) Identifier() string { return keytext.Clean(r.Number) }

// Columns returns all fields.
func (r *assignmentRecord) Columns() []dataimport.Column {
	return []dataimport.Column{
		{Name: "transactionDocumentNumber", Text: &r.Number, Also: documentNames}, {Name: "customerId", Text: &r.CustomerID},
		{Name: "customerEmail", Text: &r.Email, Also: dataimport.EmailNames},
		{Name: "customerPhoneNumber", Text: &r.Phone, Also: dataimport.PhoneNames},
		{Name: "customerLoyaltyCardNumber", Text: &r.LoyaltyCard, Also: dataimport.CardNames},
	}
}

// run assigns the transaction by the same rules as the endpoint, but the id of a merged customer is an error of the
// form.
func (r *assignmentRecord) run(tx *db.Tx, s *store.Store, h Hooks) (*Transaction, error) {
	g, err := dataimport.Form(r)
	if err != nil {
		return nil, err
	}
	a := readAssignmentBy(g, []string{byEmail})
	_, err = a.customer(tx, s)
	if merged, is := errors.AsType[*fault.Error](err); is && errors.Is(err, customer.ErrMerged) {
		g.AddError(a.field, merged)
		return nil, g.Err()
	}
	return a.carryOut(tx, s, g, h)
}

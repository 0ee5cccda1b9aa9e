package segment

import (
	"slices"
	"time"

	"punchcard/platform/decimal"
	"punchcard/platform/form"
)

// Limits of the rules of a segment.
const (
	PartLimit      = 100
	CriterionLimit = 100    // in a part
	EntryLimit     = 1000   // entries of a list in a criterion
	CustomerLimit  = 10_000 // customers of a list

	nameLimit        = 255    // characters
	descriptionLimit = 65_535 // characters
)

// fields lists the fields of each type of criterion. types lists the types in a fixed order.
var (
	fields = map[string][]string{
		Anniversary: {"anniversaryType", "days"}, BoughtInPOS: {"posIds"}, TransactionCount: {"min", "max"},
		TransactionAmount: {"fromAmount", "toAmount"}, AverageAmount: {"fromAmount", "toAmount"}, LastPurchase: {"days"},
		PurchasePeriod: {"fromDate", "toDate"}, PercentInPOS: {"posId", "percent"}, BoughtSKUs: {"skuIds"},
		BoughtMakers: {"makers"}, BoughtLabels: {"labels"}, HasLabels: {"labels"}, HasLabelValues: {"labels"},
		CustomerList: {"customers"},
	}
	types = []string{
		Anniversary, BoughtInPOS, TransactionCount, TransactionAmount, AverageAmount, LastPurchase, PurchasePeriod,
		PercentInPOS, BoughtSKUs, BoughtMakers, BoughtLabels, HasLabels, HasLabelValues, CustomerList,
	}
)

// Draft is a segment as sent by a client.
type Draft struct {
	Name, Description string
	Active            bool
	Parts             []Part

	named []namedCustomers
}

// namedCustomers is a list of customer names that have to be looked up.
type namedCustomers struct {
	criterion *Criterion
	names     []string
	group     *form.Group // the group of the field, for errors
}

// read reads the form of a segment.
func read(g *form.Group) Draft {
	d := Draft{
		Name:        g.Text("name", form.NotBlank, form.MaxLength(nameLimit)),
		Description: g.Text("description", form.MaxLength(descriptionLimit)),
		Active:      g.Checkbox("active"),
	}
	parts := groups(g, "parts", PartLimit)
	d.Parts = make([]Part, len(parts))
	for i, part := range parts {
		criteria := groups(part, "criteria", CriterionLimit)
		d.Parts[i].Criteria = make([]Criterion, len(criteria))
		for j, criterion := range criteria {
			d.readCriterion(criterion, &d.Parts[i].Criteria[j])
		}
	}
	return d
}

// groups reads a list that must not be empty.
func groups(g *form.Group, name string, limit int) []*form.Group {
	found := g.Groups(name)
	if len(found) == 0 && !g.Failed(name) {
		g.AddError(name, form.NoItems)
	}
	if bounded(g, name, len(found), limit) {
		return found
	}
	return nil
}

func bounded(g *form.Group, name string, n, limit int) bool {
	if n > limit {
		g.AddError(name, form.TooMany.With(limit))
	}
	return n <= limit
}

func (d *Draft) readCriterion(g *form.Group, c *Criterion) {
	c.Type = g.Choice("type", types, form.NotBlank)
	switch c.Type {
	case Anniversary:
		c.AnniversaryType = g.Choice("anniversaryType", []string{Birthday, Registration}, form.NotBlank)
		c.Days = g.Integer("days", form.NotBlank, form.AtLeast(1))
	case BoughtInPOS:
		c.POSIDs = g.UUIDs("posIds", form.MinItems(1))
		bounded(g, "posIds", len(c.POSIDs), EntryLimit)
	case TransactionCount:
		low, high := g.Integer("min", form.NotBlank, form.AtLeast(0)), g.Integer("max", form.NotBlank, form.AtLeast(0))
		c.Min, c.Max = &low, &high
		inOrder(g, low <= high, "min", "max")
	case TransactionAmount, AverageAmount:
		low, high := amount(g, "fromAmount"), amount(g, "toAmount")
		c.FromAmount, c.ToAmount = &low, &high
		inOrder(g, low <= high, "fromAmount", "toAmount")
	case LastPurchase:
		c.Days = g.Integer("days", form.NotBlank, form.AtLeast(1))
	case PurchasePeriod:
		from, to := g.Date("fromDate", form.NotBlank), g.Date("toDate", form.NotBlank)
		c.FromDate, c.ToDate = from.Format(time.DateOnly), to.Format(time.DateOnly)
		inOrder(g, !to.Before(from), "fromDate", "toDate")
	case PercentInPOS:
		c.POSID = g.UUID("posId", form.NotBlank)
		c.Percent = Percent(g.Decimal("percent", 2, form.NotBlank, form.AtLeast(1_00)))
		if c.Percent > whole {
			g.AddError("percent", form.TooHigh.With("100"))
		}
	case BoughtSKUs:
		c.SKUs = texts(g, "skuIds", EntryLimit)
	case BoughtMakers:
		c.Makers = texts(g, "makers", EntryLimit)
	case BoughtLabels, HasLabels, HasLabelValues:
		c.Labels = readLabels(g, c.Type)
	case CustomerList:
		d.named = append(d.named, namedCustomers{c, texts(g, "customers", CustomerLimit), g})
	}
	refuseOthers(g, c.Type)
}

// refuseOthers refuses fields that belong to other types.
func refuseOthers(g *form.Group, kind string) {
	for _, other := range types {
		for _, field := range fields[other] {
			if kind != "" && !slices.Contains(fields[kind], field) && g.Submitted(field) {
				g.AddError(field, form.Invalid("not_for_this_type"))
			}
		}
	}
}

// inOrder refuses a range that ends before it begins.
func inOrder(g *form.Group, isInOrder bool, from, to string) {
	if !isInOrder && !g.Failed(from) && !g.Failed(to) {
		g.AddError(to, form.Invalid("range_reversed"))
	}
}

func amount(g *form.Group, name string) decimal.Hundredths {
	return decimal.Hundredths(g.Decimal(name, 2, form.NotBlank, form.AtLeast(0)))
}

func texts(g *form.Group, name string, limit int) []string {
	found := g.Texts(name, form.MinItems(1), form.MaxLength(nameLimit))
	if !bounded(g, name, len(found), limit) {
		return nil
	}
	return found
}

// readLabels reads labels. The type decides whether values are optional, absent or required.
func readLabels(g *form.Group, kind string) []Label {
	labels := []Label{}
	for _, entry := range groups(g, "labels", EntryLimit) {
		label := Label{Key: entry.Text("key", form.NotBlank, form.MaxLength(nameLimit))}
		switch kind {
		case BoughtLabels:
			label.Value = entry.Text("value", form.MaxLength(nameLimit))
		case HasLabelValues:
			label.Value = entry.Text("value", form.NotBlank, form.MaxLength(nameLimit))
		}
		labels = append(labels, label)
	}
	return labels
}

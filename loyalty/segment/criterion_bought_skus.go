package segment

import (
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/form"
)

// BoughtSKUs selects customers who bought one of the products.
type BoughtSKUs struct {
	SKUs []string `json:"skuIds"`
}

var boughtSKUs = CriterionType[BoughtSKUs]{
	Name:       "bought_skus",
	Has:        func(_ *BoughtSKUs, c Candidate) any { return c.Counted },
	Hint:       "There is no sale with one of these products.",
	FormFields: []string{"skuIds"},
	Read:       func(g *form.Group, _ *store.Store) *BoughtSKUs { return &BoughtSKUs{texts(g, "skuIds", EntryLimit)} },
	Items:      true,
	Counts: func(b *BoughtSKUs, _ *time.Location) func(*transaction.Sale) bool {
		wanted := setOf(b.SKUs)
		return func(sale *transaction.Sale) bool {
			return slices.ContainsFunc(sale.Items, func(i transaction.Item) bool {
				return !i.IsDiscount() && wanted[i.SKU.Code]
			})
		}
	},
	Matches: func(_ *BoughtSKUs, c Candidate) bool { return c.Counted > 0 },
}

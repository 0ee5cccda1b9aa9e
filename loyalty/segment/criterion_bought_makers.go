package segment

import (
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/form"
)

// BoughtMakers selects customers who bought a product of one of the makers.
type BoughtMakers struct {
	Makers []string `json:"makers"`
}

var boughtMakers = CriterionType[BoughtMakers]{
	Name:       "bought_makers",
	Has:        func(_ *BoughtMakers, c Candidate) any { return c.Counted },
	Hint:       "There is no sale with a product of these makers.",
	FormFields: []string{"makers"},
	Read: func(g *form.Group, _ *store.Store) *BoughtMakers {
		return &BoughtMakers{texts(g, "makers", EntryLimit)}
	},
	Items: true,
	Counts: func(b *BoughtMakers, _ *time.Location) func(*transaction.Sale) bool {
		wanted := setOf(b.Makers)
		return func(sale *transaction.Sale) bool {
			return slices.ContainsFunc(sale.Items, func(i transaction.Item) bool { return !i.IsDiscount() && wanted[i.Maker] })
		}
	},
	Matches: func(_ *BoughtMakers, c Candidate) bool { return c.Counted > 0 },
}

package segment

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/form"
)

// BoughtInPOS selects customers with a sale at one of the points of sale.
type BoughtInPOS struct {
	POSIDs []string `json:"posIds"`
}

var boughtInPOS = CriterionType[BoughtInPOS]{
	Name:       "bought_in_pos",
	Has:        func(_ *BoughtInPOS, c Candidate) any { return c.Counted },
	Hint:       "There is no sale at these points of sale.",
	FormFields: []string{"posIds"},
	Read: func(g *form.Group, _ *store.Store) *BoughtInPOS {
		ids := g.UUIDs("posIds", form.MinItems(1))
		bounded(g, "posIds", len(ids), EntryLimit)
		return &BoughtInPOS{ids}
	},
	Counts: func(b *BoughtInPOS, _ *time.Location) func(*transaction.Sale) bool {
		wanted := setOf(b.POSIDs)
		return func(sale *transaction.Sale) bool { return wanted[sale.POSID] }
	},
	Matches: func(_ *BoughtInPOS, c Candidate) bool { return c.Counted > 0 },
}

package segment

import (
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/form"
)

// BoughtLabels selects customers who bought a product with one of the labels.
type BoughtLabels struct {
	Labels []Label `json:"labels"`
}

var boughtLabels = CriterionType[BoughtLabels]{
	Name:       "bought_labels",
	Has:        func(_ *BoughtLabels, c Candidate) any { return c.Counted },
	Hint:       "There is no sale of a product with one of these labels.",
	FormFields: []string{"labels"},
	Read: func(g *form.Group, _ *store.Store) *BoughtLabels {
		return &BoughtLabels{readLabels(g, optionalValue)}
	},
	Items: true,
	Counts: func(b *BoughtLabels, _ *time.Location) func(*transaction.Sale) bool {
		wanted := map[Label]bool{}
		for _, label := range b.Labels {
			wanted[label.folded()] = true
		}
		hasWanted := func(item transaction.Item) bool {
			return !item.IsDiscount() && slices.ContainsFunc(item.Labels, func(l transaction.Label) bool {
				exact := Label(l).folded()
				return wanted[exact] || wanted[Label{Key: exact.Key}]
			})
		}
		return func(sale *transaction.Sale) bool { return slices.ContainsFunc(sale.Items, hasWanted) }
	},
	Matches: func(_ *BoughtLabels, c Candidate) bool { return c.Counted > 0 },
}

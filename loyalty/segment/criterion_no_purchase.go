package segment

import (
	"punchcard/loyalty/store"
	"punchcard/platform/form"
)

// NoPurchase selects customers who have not bought for a number of days or longer. Of customers who never bought,
// the days since their registration count.
type NoPurchase struct {
	Days int64 `json:"days"`
}

var noPurchase = CriterionType[NoPurchase]{
	Name:       "no_purchase_for_n_days",
	FormFields: []string{"days"},
	Read: func(g *form.Group, _ *store.Store) *NoPurchase {
		return &NoPurchase{g.Integer("days", form.NotBlank, form.AtLeast(1))}
	},
	Matches: func(n *NoPurchase, c Candidate) bool {
		last := c.Purchases.LastAt
		if last.IsZero() {
			last = c.CreatedAt
		}
		return dateOf(last, c.Zone) <= daysBefore(c.Today, n.Days)
	},
}

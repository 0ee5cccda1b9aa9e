package segment

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/form"
)

// NoPurchase selects customers who have not bought for a number of days or longer. Of customers who never bought,
// the days since their registration count.
type NoPurchase struct {
	Days int64 `json:"days"`
}

var noPurchase = CriterionType[NoPurchase]{
	Name:       "no_purchase_for_n_days",
	Has:        func(n *NoPurchase, c Candidate) any { return dateOf(n.since(c), c.Zone) },
	Hint:       "The last sale, or the registration, is not as long ago.",
	FormFields: []string{"days"},
	Read: func(g *form.Group, _ *store.Store) *NoPurchase {
		return &NoPurchase{g.Integer("days", form.NotBlank, form.AtLeast(1))}
	},
	Matches: func(n *NoPurchase, c Candidate) bool {
		return dateOf(n.since(c), c.Zone) <= daysBefore(c.Today, n.Days)
	},
}

// since returns when the customer bought last, or registered.
func (n *NoPurchase) since(c Candidate) time.Time {
	if c.Purchases.LastAt.IsZero() {
		return c.CreatedAt
	}
	return c.Purchases.LastAt
}

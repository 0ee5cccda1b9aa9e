package segment

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/form"
)

// PurchasePeriod selects customers with a sale in a period.
type PurchasePeriod struct {
	From string `json:"fromDate"` // YYYY-MM-DD in the zone of the store
	To   string `json:"toDate"`   // the same, included
}

var purchasePeriod = CriterionType[PurchasePeriod]{
	Name:       "purchase_period",
	Has:        func(_ *PurchasePeriod, c Candidate) any { return c.Counted },
	Hint:       "There is no sale in this period.",
	FormFields: []string{"fromDate", "toDate"},
	Read: func(g *form.Group, _ *store.Store) *PurchasePeriod {
		from, to := g.Date("fromDate", form.NotBlank), g.Date("toDate", form.NotBlank)
		inOrder(g, !to.Before(from), "fromDate", "toDate")
		return &PurchasePeriod{From: from.Format(time.DateOnly), To: to.Format(time.DateOnly)}
	},
	Counts: func(p *PurchasePeriod, zone *time.Location) func(*transaction.Sale) bool {
		return func(sale *transaction.Sale) bool {
			day := dateOf(sale.PurchasedAt, zone)
			return p.From <= day && day <= p.To
		}
	},
	Matches: func(_ *PurchasePeriod, c Candidate) bool { return c.Counted > 0 },
}

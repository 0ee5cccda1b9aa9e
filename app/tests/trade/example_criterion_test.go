package trade_test

import (
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/form"
)

// boughtOnWeekday selects customers with a sale on a day of the week.
type boughtOnWeekday struct {
	Weekday string `json:"weekday"`
}

var weekdayCriterion = segment.CriterionType[boughtOnWeekday]{
	Name:       "bought_on_weekday",
	FormFields: []string{"weekday"},
	Read: func(g *form.Group, _ *store.Store) *boughtOnWeekday {
		days := []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
		return &boughtOnWeekday{g.Choice("weekday", days, form.NotBlank)}
	},
	Counts: func(b *boughtOnWeekday, zone *time.Location) func(*transaction.Sale) bool {
		return func(sale *transaction.Sale) bool {
			return strings.ToLower(sale.PurchasedAt.In(zone).Weekday().String()) == b.Weekday
		}
	},
	Matches: func(_ *boughtOnWeekday, c segment.Candidate) bool { return c.Counted > 0 },
}

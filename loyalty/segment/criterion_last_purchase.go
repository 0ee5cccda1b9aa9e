package segment

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/form"
)

// LastPurchase selects customers whose last transaction is at most a number of days ago.
type LastPurchase struct {
	Days int64 `json:"days"`
}

var lastPurchase = CriterionType[LastPurchase]{
	Name:       "last_purchase_n_days_before",
	Has:        func(_ *LastPurchase, c Candidate) any { return lastDay(c, c.Purchases.LastAt) },
	Hint:       "The last sale is longer ago, or there is none.",
	FormFields: []string{"days"},
	Read: func(g *form.Group, _ *store.Store) *LastPurchase {
		return &LastPurchase{g.Integer("days", form.NotBlank, form.AtLeast(1))}
	},
	Matches: func(l *LastPurchase, c Candidate) bool {
		last := c.Purchases.LastAt
		return !last.IsZero() && dateOf(last, c.Zone) >= daysBefore(c.Today, l.Days)
	},
}

// lastDay returns the day of a moment; empty for none.
func lastDay(c Candidate, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return dateOf(at, c.Zone)
}

// daysBefore returns the date that is the given number of days before another one.
func daysBefore(date string, days int64) string {
	return (parseDate(date) - calendar.Day(min(days, manyDays))).String()
}

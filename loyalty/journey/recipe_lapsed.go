package journey

import (
	"slices"
	"strconv"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// lapsed is some days after the last purchase, once until the next one.
var lapsed = &recipe{
	name: "lapsed", late: occasion.LateLimit,
	read:   func(g *form.Group, _ *store.Store, c *Content) { c.Days = readDays(g) },
	sample: func(c *Content) map[string]string { return map[string]string{"days": strconv.Itoa(c.Days)} },
	find: func(tx *db.Tx, s *store.Store, j *Journey, day calendar.Day, after string) (
		found []finding, next string, err error) {
		day -= calendar.Day(j.Content.Days)
		ids, next, err := transaction.BuyersBetween(tx, s.Key, day.Start(s.Zone), (day + 1).Start(s.Zone), after, chunk)
		if err != nil {
			return nil, "", err
		}
		ids = db.Distinct(ids)
		customers, err := customer.FindAll(tx, s.Key, ids...)
		for _, id := range ids {
			if c := customers[id]; c != nil && lastDay(s, c) <= day && !c.Purchases.LastAt.IsZero() {
				found = append(found, j.findings(tx, s, lastDay(s, c).String(), id)...)
			}
		}
		return slices.Clip(found), next, err
	},
	applies: func(due *judge, e *Entry, m *membership.Member) (map[string]string, bool, error) {
		last := lastDay(due.store, m.Customer)
		values := map[string]string{"days": strconv.Itoa(int(calendar.DayOf(due.tx.Now(), due.store.Zone) - last))}
		return values, last.String() == e.Occasion, nil
	},
}

// lastDay returns the day of the last purchase of a customer.
func lastDay(s *store.Store, c *customer.Customer) calendar.Day {
	return calendar.DayOf(c.Purchases.LastAt, s.Zone)
}

package journey

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// pointsEnding is some days before points expire, once for each day on which some do.
var pointsEnding = &recipe{
	name: "points_ending", late: occasion.LateLimit, pause: Pause,
	read: func(g *form.Group, _ *store.Store, c *Content) {
		c.Days = readDays(g)
		c.LeastPoints = points.Amount(g.Decimal("leastPoints", 2, form.AtLeast(0)))
	},
	sample: func(c *Content) map[string]string {
		return map[string]string{"ending_points": max(c.LeastPoints, 100_00).String(), "end_date": "2031-12-31"}
	},
	find: func(tx *db.Tx, s *store.Store, j *Journey, day calendar.Day, after string) ([]finding, string, error) {
		day += calendar.Day(j.Content.Days)
		ending, last, more, err := points.EndingBetween(tx, s, day.Start(s.Zone), (day + 1).Start(s.Zone), after, searched)
		if err != nil {
			return nil, "", err
		}
		had, err := readGiven(tx, s.Key, j.Recipe, endingCustomers(ending)...)
		var ids []string
		for i := range ending {
			if enoughEnds(&ending[i], j, had) {
				ids = append(ids, ending[i].CustomerID)
			}
		}
		if !more {
			last = ""
		}
		return j.findings(tx, s, day.String(), ids...), last, err
	},
	applies: func(due *judge, e *Entry, m *membership.Member) (map[string]string, bool, error) {
		day, ok := calendar.ParseDay(e.Occasion)
		if !ok {
			return nil, false, nil
		}
		zone := due.store.Zone
		left := m.Wallet.Ending(day.Start(zone), (day + 1).Start(zone))
		if !enoughEnds(&left, due.journey, due.given) {
			return nil, false, nil
		}
		return map[string]string{
			"ending_points": left.Points.String(), "end_date": left.EndsAt.In(zone).Format(time.DateOnly),
		}, true, nil
	},
}

// enoughEnds reports whether the points that a customer got otherwise than by such journeys are an occasion.
func enoughEnds(e *points.Ending, j *Journey, had *given) bool {
	own := e.Besides(had.ids)
	return own > 0 && own >= j.Content.LeastPoints
}

func endingCustomers(ending []points.Ending) []string {
	ids := make([]string, len(ending))
	for i := range ending {
		ids[i] = ending[i].CustomerID
	}
	return ids
}

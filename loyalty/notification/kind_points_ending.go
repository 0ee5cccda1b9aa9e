package notification

import (
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// pointsEnding is about points that expire.
var pointsEnding = &kind{
	name:  "points_ending",
	event: template.PointsEnding,
	values: func(n *Notification) map[string]string {
		return map[string]string{"points": n.Details.Points.String()}
	},
	show: func(n *Notification, v *view) { v.Points = &n.Details.Points },
	days: func(s *store.Settings) int { return s.ExpirePointsNotificationDays },
	find: findPointsEnding, events: pointsEndingEvents,
}

// accountsAtOnce is how many accounts one step searches for points that end.
const accountsAtOnce = 500

// findPointsEnding searches many accounts, because few of them have points that end, and returns no more
// than one transaction notifies.
func findPointsEnding(tx *db.Tx, s *store.Store, day calendar.Day, after string) (e ending, err error) {
	from, to := day.Start(s.Zone), (day + 1).Start(s.Zone)
	found, last, more, err := points.EndingBetween(tx, s, from, to, after, accountsAtOnce)
	if e.next = last; !more {
		e.next = ""
	}
	if len(found) > chunk {
		found, e.next = found[:chunk], found[chunk-1].CustomerID
	}
	for _, f := range found {
		e.notices = append(e.notices, Notification{CustomerID: f.CustomerID, Details: Details{
			Points: f.Points, EndsAt: f.EndsAt.UnixMicro(),
		}})
	}
	return e, err
}

package notification

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message/template"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// levelEnding is about a level that the customer loses soon.
var levelEnding = &kind{
	name:   "level_ending",
	event:  template.LevelEnding,
	values: func(n *Notification) map[string]string { return map[string]string{"level_name": n.Details.Name} },
	show:   func(n *Notification, v *view) { v.LevelID = n.SubjectID },
	names:  namesOfLevels,
	days:   func(s *store.Settings) int { return s.ExpireLevelsNotificationDays },
	find:   findLevelsEnding,
	events: levelsEndingEvents,
}

func namesOfLevels(tx *db.Tx, storeKey int64, locale api.Locale, _ []*Notification) (
	func(n *Notification) string, error) {
	levels, err := level.All(tx, storeKey)
	return func(n *Notification) string {
		if l := level.Find(levels, n.SubjectID); l != nil {
			return l.Name(locale)
		}
		return ""
	}, err
}

func findLevelsEnding(tx *db.Tx, s *store.Store, day calendar.Day, after string) (e ending, err error) {
	found, next, err := customer.LevelsEnding(tx, s, day, after, chunk)
	if err != nil || len(found) == 0 {
		return ending{next: next}, err
	}
	levels, err := level.All(tx, s.Key)
	if err != nil {
		return e, err
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return e, err
	}
	locale := api.Locale{Wanted: languages.Default(), Default: languages.Default()}
	for _, f := range found {
		if l := level.Find(levels, f.LevelID); l != nil && l.ConditionValue > 0 { // not the lowest level
			e.notices = append(e.notices, Notification{CustomerID: f.CustomerID, SubjectID: f.LevelID, Details: Details{
				Name: l.Name(locale), EndsAt: day.Start(s.Zone).UnixMicro(),
			}})
		}
	}
	e.next = next
	return e, nil
}

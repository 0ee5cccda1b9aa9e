package journey

import (
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/occasion"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// birthday is once a year. A new date of birth brings no second one.
var birthday = &recipe{
	name: "birthday", sample: nothing, applies: always, pause: occasion.BirthdayPause,
	find: func(tx *db.Tx, s *store.Store, j *Journey, day calendar.Day, after string) ([]finding, string, error) {
		ids, next, err := customer.BornOn(tx, s.Key, day, after, chunk)
		return j.findings(tx, s, day.Format("2006"), ids...), next, err
	},
}

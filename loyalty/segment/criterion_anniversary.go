package segment

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/form"
)

// Anniversary selects customers whose birthday or registration has an anniversary within a number of days, of
// which today is the first. Without a birth date there is no birthday.
type Anniversary struct {
	Of   string `json:"anniversaryType" enum:"birthday,registration"` // Birthday or Registration
	Days int64  `json:"days"`
}

// The values of Anniversary.Of.
const (
	Birthday     = "birthday"
	Registration = "registration"
)

var anniversary = CriterionType[Anniversary]{
	Name:       "anniversary",
	Has:        func(a *Anniversary, c Candidate) any { return a.date(c) },
	Hint:       "The anniversary is not within these days.",
	FormFields: []string{"anniversaryType", "days"},
	Read: func(g *form.Group, _ *store.Store) *Anniversary {
		return &Anniversary{
			Of:   g.Choice("anniversaryType", []string{Birthday, Registration}, form.NotBlank),
			Days: g.Integer("days", form.NotBlank, form.AtLeast(1)),
		}
	},
	Matches: func(a *Anniversary, c Candidate) bool {
		return anniversaryWithin(a.date(c), c.Today, a.Days)
	},
}

// date returns the birth date or the day of the registration; empty if it is not known.
func (a *Anniversary) date(c Candidate) string {
	if a.Of == Registration {
		return dateOf(c.CreatedAt, c.Zone)
	}
	return c.BirthDate
}

// anniversaryWithin reports whether the anniversary of a date falls on one of the given number of days, of
// which today is the first. In other than leap years, 29 February counts as 28 February.
func anniversaryWithin(anniversary, today string, days int64) bool {
	if anniversary == "" {
		return false
	}
	first := parseDate(today)
	_, month, date := parseDate(anniversary).Date()
	for _, year := range []calendar.Day{first.Year(0), first.Year(1)} {
		start := year.Month(int(month - 1))
		day := min(start+calendar.Day(date-1), start.Month(1)-1)
		if day >= first && day < first+calendar.Day(min(days, manyDays)) {
			return true
		}
	}
	return false
}

// dateOf returns the date of a moment in a zone, YYYY-MM-DD.
func dateOf(t time.Time, zone *time.Location) string { return calendar.DayOf(t, zone).String() }

// manyDays is more than any period needs. It keeps date arithmetic in range.
const manyDays = 1_000_000

func parseDate(date string) calendar.Day {
	day, _ := calendar.ParseDay(date) // stored dates are valid
	return day
}

package earning

import (
	"slices"
	"time"

	"punchcard/platform/calendar"
)

// Periods are the calendar windows of a limit.
var Periods = slices.Concat(calendar.Periods, []string{"forever"})

// olderPeriods are the spellings that older clients send.
var olderPeriods = map[string]string{
	"1 day": "day", "1 week": "week", "1 month": "month", "3 months": "3months", "6 months": "6months",
	"1 year": "year",
}

// windowStart returns the start of the calendar window that contains at. The start of forever is the zero time.
func windowStart(period string, at time.Time, zone *time.Location) time.Time {
	first, _, ok := calendar.PeriodOf(period, calendar.DayOf(at, zone))
	if !ok {
		return time.Time{}
	}
	return first.Start(zone)
}

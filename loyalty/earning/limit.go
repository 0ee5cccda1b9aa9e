package earning

import (
	"time"

	"punchcard/platform/calendar"
)

// Periods are the calendar windows of a limit.
var Periods = []string{"day", "week", "month", "3months", "6months", "year", "forever"}

// olderPeriods are the spellings that older clients send.
var olderPeriods = map[string]string{
	"1 day": "day", "1 week": "week", "1 month": "month", "3 months": "3months", "6 months": "6months",
	"1 year": "year",
}

// windowStart returns the start of the calendar window that contains at. Weeks begin on Monday, 3 months are a
// quarter, 6 months a half of the year. The start of forever is the zero time.
func windowStart(period string, at time.Time, zone *time.Location) time.Time {
	day := calendar.DayOf(at, zone)
	_, month, _ := day.Date()
	switch period {
	case "day":
	case "week":
		day = day.Monday()
	case "month":
		day = day.Month(0)
	case "3months":
		day = day.Month(-int(month-1) % 3)
	case "6months":
		day = day.Month(-int(month-1) % 6)
	case "year":
		day = day.Year(0)
	default:
		return time.Time{}
	}
	return day.Start(zone)
}

package earning

import "time"

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
	local := at.In(zone)
	year, month, day := local.Date()
	switch period {
	case "day":
	case "week":
		day -= (int(local.Weekday()) + 6) % 7 // days since Monday
	case "month":
		day = 1
	case "3months":
		month, day = month-(month-1)%3, 1
	case "6months":
		month, day = month-(month-1)%6, 1
	case "year":
		month, day = time.January, 1
	default:
		return time.Time{}
	}
	return time.Date(year, month, day, 0, 0, 0, 0, zone)
}

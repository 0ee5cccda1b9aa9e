package customerapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// LastDaysLimit is how many days back registrations are counted at most.
const LastDaysLimit = 3660

// intervals maps each interval to the format of its key and to the first day of the next interval.
var intervals = map[string]struct {
	key  string
	next func(day calendar.Day) calendar.Day
}{
	"day":   {time.DateOnly, func(day calendar.Day) calendar.Day { return day + 1 }},
	"month": {"2006-01", func(day calendar.Day) calendar.Day { return day.Month(1) }},
	"year":  {"2006", func(day calendar.Day) calendar.Day { return day.Year(1) }},
}

// span is one interval and the key under which it is counted.
type span struct {
	key string
	customer.Period
}

// spansOf splits the last days, including today, into intervals.
func spansOf(interval string, lastDays int, now time.Time, zone *time.Location) []span {
	kind, known := intervals[interval]
	if !known {
		kind = intervals["day"]
	}
	today := calendar.DayOf(now, zone)
	var spans []span
	for day := today + 1 - calendar.Day(lastDays); day <= today; {
		next := kind.next(day)
		spans = append(spans, span{day.Format(kind.key), customer.Period{From: day.Start(zone), To: next.Start(zone)}})
		day = next
	}
	return spans
}

func describeCount(q *form.Group) {
	q.Choice("interval", slices.Sorted(maps.Keys(intervals)))
	q.Integer("lastDays")
}

func countRegistrations(c *api.Call) error {
	query, err := c.Query()
	if err != nil {
		return err
	}
	lastDays, err := strconv.Atoi(strings.TrimSpace(query.Child("lastDays").Text()))
	if err != nil || lastDays < 1 {
		lastDays = 30
	}
	response := map[string]int64{}
	err = c.Read(func(tx *db.Tx) error {
		spans := spansOf(query.Child("interval").Text(), min(lastDays, LastDaysLimit), tx.Now(), c.Store.Zone)
		periods := make([]customer.Period, len(spans))
		for i, s := range spans {
			response[s.key], periods[i] = 0, s.Period
		}
		return customer.CountRegistrations(tx, c.Store.Key, periods, func(number int, count int64) {
			response[spans[number].key] = count
		})
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

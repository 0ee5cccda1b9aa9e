package customerapi

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// LastDaysLimit is how many days back registrations are counted at most.
const LastDaysLimit = 3660

// intervals maps each interval to the format of its key and to the first date of the next interval.
var intervals = map[string]struct {
	key  string
	next func(year int, month time.Month, day int) (int, time.Month, int)
}{
	"day":   {time.DateOnly, func(y int, m time.Month, d int) (int, time.Month, int) { return y, m, d + 1 }},
	"month": {"2006-01", func(y int, m time.Month, _ int) (int, time.Month, int) { return y, m + 1, 1 }},
	"year":  {"2006", func(y int, _ time.Month, _ int) (int, time.Month, int) { return y + 1, time.January, 1 }},
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
	midnight := func(date time.Time) time.Time {
		return time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, zone)
	}
	year, month, day := now.In(zone).Date()
	today := time.Date(year, month, day, 0, 0, 0, 0, time.UTC) // in UTC every date has a midnight
	var spans []span
	for date := today.AddDate(0, 0, 1-lastDays); !date.After(today); {
		year, month, day := kind.next(date.Date())
		next := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		spans = append(spans, span{date.Format(kind.key), customer.Period{From: midnight(date), To: midnight(next)}})
		date = next
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

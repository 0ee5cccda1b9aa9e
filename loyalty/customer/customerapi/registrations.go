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

// counting is how registrations are to be counted.
type counting struct {
	interval string
	lastDays int
}

// readCount passes over what it cannot read.
func readCount(c *api.Call) (in counting, err error) {
	query, err := c.Query()
	if err != nil {
		return in, err
	}
	in = counting{query.Child("interval").Text(), 30}
	if days, err := strconv.Atoi(strings.TrimSpace(query.Child("lastDays").Text())); err == nil && days > 0 {
		in.lastDays = min(days, LastDaysLimit)
	}
	return in, nil
}

func countRegistrations(r *api.Reading, in counting) (map[string]int64, error) {
	spans := spansOf(in.interval, in.lastDays, r.Tx.Now(), r.Store.Zone)
	counts, periods := map[string]int64{}, make([]customer.Period, len(spans))
	for i, s := range spans {
		counts[s.key], periods[i] = 0, s.Period
	}
	err := customer.CountRegistrations(r.Tx, r.Store.Key, periods, func(number int, count int64) {
		counts[spans[number].key] = count
	})
	return counts, err
}

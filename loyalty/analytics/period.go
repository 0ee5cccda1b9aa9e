package analytics

import (
	"maps"
	"slices"
	"time"

	"punchcard/core/api"
	"punchcard/platform/calendar"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// DaysLimit is the longest period of a series.
const DaysLimit = 732

// defaultDays is the length of a period without a beginning.
const defaultDays = 30

// The errors of a period.
var (
	errBackwards = fault.New(fault.Fields, "period_backwards", "The period ends before it begins.")
	errTooLong   = fault.New(fault.Fields, "period_too_long", "The period is longer than 732 days.")
)

// period is a span of days, both included.
type period struct{ from, to calendar.Day }

func (p period) days() calendar.Day { return p.to - p.from + 1 }

// previous returns the period of the same length before this one.
func (p period) previous() period { return period{p.from - p.days(), p.from - 1} }

// readPeriod reads the days from and to. Without from, the period has 30 days; without to, it ends today.
func readPeriod(q *form.Group, today calendar.Day) period {
	day := func(name string, otherwise calendar.Day) calendar.Day {
		if at := q.Date(name); !at.IsZero() {
			return calendar.DayOf(at, time.UTC)
		}
		return otherwise
	}
	p := period{to: day("to", today)}
	p.from = day("from", p.to-defaultDays+1)
	switch {
	case q.Failed("from") || q.Failed("to"):
	case p.to < p.from:
		q.AddError("to", errBackwards)
	case p.days() > DaysLimit:
		q.AddError("from", errTooLong)
	}
	return p
}

// ReadPeriod reads the days from and to, both included, as the other endpoints of analytics read them.
func ReadPeriod(g *form.Group, today calendar.Day) (from, to calendar.Day) {
	p := readPeriod(g, today)
	return p.from, p.to
}

// readComparison reads a period, and the one to compare it with. That has the same length, and begins on the day
// compareFrom, or ends just before the period.
func readComparison(q *form.Group, today calendar.Day) [2]period {
	p := readPeriod(q, today)
	before := p.previous()
	if at := q.Date("compareFrom"); !at.IsZero() {
		before.from = calendar.DayOf(at, time.UTC)
		before.to = before.from + p.days() - 1
	}
	return [2]period{p, before}
}

// intervals maps the names of intervals to the first day of the interval after that of a day.
var intervals = map[string]func(day calendar.Day) calendar.Day{
	"day":   func(day calendar.Day) calendar.Day { return day + 1 },
	"week":  func(day calendar.Day) calendar.Day { return day.Monday() + 7 },
	"month": func(day calendar.Day) calendar.Day { return day.Month(1) },
	"year":  func(day calendar.Day) calendar.Day { return day.Year(1) },
}

func intervalNames() []string { return slices.Sorted(maps.Keys(intervals)) }

// split divides a period into intervals. Weeks begin on Monday. The first and the last interval can be shorter.
func (p period) split(interval string) []period {
	var parts []period
	for from := p.from; from <= p.to; {
		next := intervals[interval](from)
		parts = append(parts, period{from, min(next-1, p.to)})
		from = next
	}
	return parts
}

// Today returns the present day of a call's store.
func Today(c *api.Call) calendar.Day { return calendar.DayOf(c.Now(), c.Store.Zone) }

// Package calendar computes with the days of a time zone. Package time picks either side of a clock change where local
// times are skipped or repeated; here it is always the same one:
// docs/behaviour/requests.md#days-and-clock-changes.
package calendar

import "time"

const daySeconds = 24 * 60 * 60

// farthest is further from UTC than the clocks of any zone ever were.
const farthest = 24 * time.Hour

// Day is a date, in days since 1970-01-01. Days are added and compared as numbers.
type Day int64

// DayOf returns the date that a clock in the zone shows.
func DayOf(t time.Time, zone *time.Location) Day { return Date(t.In(zone).Date()) }

// Date returns the day of a date. Months and days beyond their range carry over as in time.Date.
func Date(year int, month time.Month, day int) Day {
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / daySeconds)
}

// ParseDay parses YYYY-MM-DD.
func ParseDay(text string) (day Day, ok bool) {
	t, err := time.Parse(time.DateOnly, text)
	return DayOf(t, time.UTC), err == nil
}

// String formats the day as YYYY-MM-DD.
func (d Day) String() string { return d.Format(time.DateOnly) }

// Format formats the day like time.Time.Format.
func (d Day) Format(layout string) string { return d.UTC().Format(layout) }

// UTC returns the day at midnight in UTC.
func (d Day) UTC() time.Time { return time.Unix(int64(d)*daySeconds, 0).UTC() }

// Date returns the year, month and day.
func (d Day) Date() (year int, month time.Month, day int) { return d.UTC().Date() }

// Monday returns the first day of the week.
func (d Day) Monday() Day { return d - Day(d.UTC().Weekday()+6)%7 }

// Month returns the first day of the month n months later.
func (d Day) Month(n int) Day {
	year, month, _ := d.Date()
	return Date(year, month+time.Month(n), 1)
}

// Year returns the first day of the year n years later.
func (d Day) Year(n int) Day {
	year, _, _ := d.Date()
	return Date(year+n, time.January, 1)
}

// Start returns the first moment of the day. Where midnight is skipped, that is the moment of the clock change, and
// where it is repeated, the first of the two. Each moment belongs to exactly one day: where a clock goes back to the
// day before shortly after midnight, the new day starts at the second midnight.
func (d Day) Start(zone *time.Location) time.Time {
	return latest(d.UTC(), zone, func(begin, t time.Time) bool { return begin.Before(t) })
}

// LastSecond returns the last second of the day, usually 23:59:59.
func (d Day) LastSecond(zone *time.Location) time.Time { return (d + 1).Start(zone).Add(-time.Second) }

// AddDate adds calendar units and keeps the time of day, as Last does. Days beyond the end of a month carry over as in
// time.Time.AddDate.
func AddDate(t time.Time, years, months, days int, zone *time.Location) time.Time {
	t = t.In(zone)
	if years == 0 && months == 0 && days == 0 {
		return t
	}
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	return Last(time.Date(year+years, month+time.Month(months), day+days, hour, minute, second, t.Nanosecond(), time.UTC),
		zone)
}

// First returns the first moment at which a clock in the zone shows the time that wall shows in UTC. If the clock skips
// that time, it is the moment of the clock change.
func First(wall time.Time, zone *time.Location) time.Time {
	for at := wall.Add(-farthest).In(zone); ; {
		begin, end := bounds(at)
		if t := momentShowing(wall, at); end.IsZero() || t.Before(end) {
			if !begin.IsZero() && t.Before(begin) {
				return begin
			}
			return t
		}
		at = end
	}
}

// Last is First for the end of a period: if the clock shows the time twice, it is the later moment.
func Last(wall time.Time, zone *time.Location) time.Time {
	return latest(wall, zone, func(begin, t time.Time) bool { return !begin.After(t) })
}

// latest looks for the moment at which a clock in the zone shows wall, from the latest possible one back through the
// periods between clock changes. It takes the first period of which the beginning is early enough.
func latest(wall time.Time, zone *time.Location, early func(begin, t time.Time) bool) time.Time {
	for at := wall.Add(farthest).In(zone); ; {
		begin, end := bounds(at)
		if t := momentShowing(wall, at); begin.IsZero() || early(begin, t) {
			if !end.IsZero() && end.Before(t) {
				return end
			}
			return t
		}
		at = begin.Add(-1)
	}
}

// bounds returns the period around a moment during which the clock of its zone was not changed; zero times if it has no
// beginning or end. It joins the periods of ZoneBounds: from 2038 on, these end after 365 days of each year even if
// nothing changes, in leap years a day before the next begins.
func bounds(at time.Time) (begin, end time.Time) {
	_, offset := at.Zone()
	begin, end = at.ZoneBounds()
	for !begin.IsZero() {
		before := begin.Add(-1)
		if _, other := before.Zone(); other != offset {
			break
		}
		begin, _ = before.ZoneBounds()
	}
	for !end.IsZero() {
		if _, other := end.Zone(); other != offset {
			break
		}
		_, next := end.ZoneBounds()
		if !next.IsZero() && !next.After(end) { // the last day of a leap year
			next = end.Add(daySeconds * time.Second)
		}
		end = next
	}
	return begin, end
}

// momentShowing returns the moment at which a clock that is as far from UTC as it is at the moment at shows wall.
func momentShowing(wall, at time.Time) time.Time {
	_, offset := at.Zone()
	return wall.Add(-time.Duration(offset) * time.Second).In(at.Location())
}

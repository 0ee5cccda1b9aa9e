package calendar_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"punchcard/platform/calendar"
	"punchcard/platform/calendar/calendartest"
)

// The days of every zone follow each other without a gap, and contain exactly the moments of their date.
func TestDaysOfAllZones(t *testing.T) {
	first, last := calendar.Date(2027, time.January, 1), calendar.Date(2028, time.December, 31)
	withoutMidnight, changes := 0, 0
	for _, zone := range calendartest.Zones(t) {
		start := first.Start(zone)
		for day := first; day <= last; day++ {
			next := (day + 1).Start(zone)
			for _, at := range []time.Time{start, next.Add(-1), day.LastSecond(zone)} {
				if got := calendar.DayOf(at, zone); got != day {
					t.Fatalf("%s in %s is on %s, want %s", at, zone, got, day)
				}
			}
			if got := next.Sub(day.LastSecond(zone)); got != time.Second {
				t.Fatalf("the last second of %s in %s is %s before its end", day, zone, got)
			}
			if start.Hour() != 0 {
				withoutMidnight++
			}
			if next.Sub(start) != 24*time.Hour {
				changes++
				compareWithClock(t, day, zone)
			}
			start = next
		}
	}
	if withoutMidnight == 0 || changes < 300 {
		t.Errorf("%d days without midnight, %d with a change of the clock", withoutMidnight, changes)
	}
}

// Nothing is special about the ends of years beyond the table of a zone, when package time follows a rule.
func TestEndsOfYears(t *testing.T) {
	for _, zone := range calendartest.Zones(t) {
		for year := 2036; year <= 2100; year++ {
			newYear := calendar.Date(year+1, time.January, 1)
			for day := newYear - 2; day <= newYear; day++ {
				want := time.Date(year, time.December, 32-int(newYear-day), 0, 0, 0, 0, zone)
				if got := day.Start(zone); !got.Equal(want) {
					t.Errorf("%s in %s begins at %s, want %s", day, zone, got, want)
				}
				if got := calendar.First(day.UTC(), zone); !got.Equal(want) {
					t.Errorf("the first midnight of %s in %s is %s, want %s", day, zone, got, want)
				}
			}
		}
	}
}

// compareWithClock looks at a clock in the zone every minute of a day with a change, and before and after it.
func compareWithClock(t *testing.T, day calendar.Day, zone *time.Location) {
	t.Helper()
	start, end := day.Start(zone), (day + 1).Start(zone)
	shown := map[time.Time][]time.Time{} // moments by what the clock shows, as a time in UTC
	wallOf := func(at time.Time) time.Time {
		return at.In(zone).Add(offset(at.In(zone))).UTC()
	}
	for at := start.Add(-3 * time.Hour); at.Before(end.Add(3 * time.Hour)); at = at.Add(time.Minute) {
		wall := wallOf(at)
		shown[wall] = append(shown[wall], at)
		if inside := !at.Before(start) && at.Before(end); inside != (calendar.DayOf(at, zone) == day) {
			t.Fatalf("%s in %s is on %s, which begins at %s and ends before %s", at, zone, day, start, end)
		}
	}
	for wall := day.UTC(); wall.Before((day + 1).UTC()); wall = wall.Add(time.Minute) {
		first, last := calendar.First(wall, zone), calendar.Last(wall, zone)
		if at := shown[wall]; len(at) > 0 {
			if !first.Equal(at[0]) || !last.Equal(at[len(at)-1]) {
				t.Fatalf("%s in %s: got %s and %s, want %s", wall, zone, first, last, at)
			}
			continue
		}
		if !first.Equal(last) || !wallOf(first).After(wall) || !wallOf(first.Add(-1)).Before(wall) {
			t.Fatalf("%s, which is skipped in %s: got %s and %s", wall, zone, first, last)
		}
	}
}

func offset(at time.Time) time.Duration {
	_, seconds := at.Zone()
	return time.Duration(seconds) * time.Second
}

func TestMoments(t *testing.T) {
	day := func(text string) calendar.Day {
		t.Helper()
		d, ok := calendar.ParseDay(text)
		if !ok || d.String() != text {
			t.Fatal(text)
		}
		return d
	}
	start := func(d calendar.Day, zone *time.Location) time.Time { return d.Start(zone) }
	last := func(d calendar.Day, zone *time.Location) time.Time { return d.LastSecond(zone) }
	for _, c := range []struct {
		about, zone, day string
		of               func(calendar.Day, *time.Location) time.Time
		want             string
	}{
		{"an ordinary day", "Europe/Warsaw", "2027-06-10", start, "2027-06-09T22:00:00Z"},
		{"no midnight", "America/Santiago", "2027-09-05", start, "2027-09-05T04:00:00Z"},
		{"before no midnight", "America/Santiago", "2027-09-04", last, "2027-09-05T03:59:59Z"},
		{"the last hour twice", "America/Santiago", "2027-04-03", last, "2027-04-04T03:59:59Z"},
		{"after the last hour twice", "America/Santiago", "2027-04-04", start, "2027-04-04T04:00:00Z"},
		{"midnight twice", "America/Havana", "2027-11-07", start, "2027-11-07T04:00:00Z"},
		{"before midnight twice", "America/Havana", "2027-11-06", last, "2027-11-07T03:59:59Z"},
		{"back to the day before", "America/St_Johns", "2010-11-07", start, "2010-11-07T03:30:00Z"},
		{"a day that was left out", "Pacific/Apia", "2011-12-30", start, "2011-12-30T10:00:00Z"},
		{"the day after it", "Pacific/Apia", "2011-12-31", start, "2011-12-30T10:00:00Z"},
		{"before all changes", "Europe/Warsaw", "1800-01-01", start, "1799-12-31T22:36:00Z"},
		{"after all changes", "UTC", "9999-12-31", last, "9999-12-31T23:59:59Z"},
	} {
		if got := c.of(day(c.day), location(t, c.zone)).UTC().Format(time.RFC3339); got != c.want {
			t.Errorf("%s, %s in %s: got %s, want %s", c.about, c.day, c.zone, got, c.want)
		}
	}
}

func TestAddDate(t *testing.T) {
	for _, c := range []struct {
		about, zone, at     string
		years, months, days int
		want                string
	}{
		{"the time of day stays", "Europe/Warsaw", "2027-03-27T08:30:00.25+01:00", 0, 0, 1, "2027-03-28T08:30:00.25+02:00"},
		{"a skipped time", "Europe/Warsaw", "2027-03-27T02:30:00+01:00", 0, 0, 1, "2027-03-28T03:00:00+02:00"},
		{"a repeated time", "Europe/Warsaw", "2027-10-30T02:30:00.5+02:00", 0, 0, 1, "2027-10-31T02:30:00.5+01:00"},
		{"no days", "Europe/Warsaw", "2027-10-31T02:30:00+02:00", 0, 0, 0, "2027-10-31T02:30:00+02:00"},
		{"back", "Europe/Warsaw", "2027-03-29T08:30:00+02:00", 0, 0, -2, "2027-03-27T08:30:00+01:00"},
		{"months and years", "America/Santiago", "2026-08-05T00:30:00-04:00", 1, 1, 0, "2027-09-05T01:00:00-03:00"},
		{"the end of a month", "UTC", "2027-01-31T12:00:00Z", 0, 1, 0, "2027-03-03T12:00:00Z"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		got := calendar.AddDate(at, c.years, c.months, c.days, location(t, c.zone)).Format(time.RFC3339Nano)
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.about, got, c.want)
		}
	}
}

func TestPeriods(t *testing.T) {
	d := calendar.Date(2027, time.November, 10) // a Wednesday
	for _, c := range []struct {
		name string
		got  calendar.Day
		want string
	}{
		{"Monday", d.Monday(), "2027-11-08"}, {"its own Monday", d.Monday().Monday(), "2027-11-08"},
		{"Sunday", (d.Monday() - 1).Monday(), "2027-11-01"}, {"before 1970", calendar.Day(-1).Monday(), "1969-12-29"},
		{"month", d.Month(0), "2027-11-01"}, {"two months later", d.Month(2), "2028-01-01"},
		{"year", d.Year(0), "2027-01-01"}, {"a year later", d.Year(1), "2028-01-01"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
	for _, text := range []string{"", "2027-02-29", "2027-2-1", "2027-01-01 10:00"} {
		if d, ok := calendar.ParseDay(text); ok {
			t.Errorf("%q is %s", text, d)
		}
	}
}

func location(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

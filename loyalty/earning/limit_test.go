package earning

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/platform/calendar/calendartest"
)

func warsaw(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Warsaw")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestWindowStart(t *testing.T) {
	const layout = "2006-01-02 15:04"
	zone := warsaw(t)
	for _, c := range []struct{ period, at, want string }{
		{"day", "2031-05-15 00:00", "2031-05-15 00:00"},
		{"day", "2031-05-15 23:59", "2031-05-15 00:00"},
		{"day", "2031-03-30 12:00", "2031-03-30 00:00"},  // an hour is missing from this day
		{"week", "2031-05-12 00:00", "2031-05-12 00:00"}, // a Monday
		{"week", "2031-05-18 23:59", "2031-05-12 00:00"},
		{"week", "2031-05-19 00:00", "2031-05-19 00:00"},
		{"week", "2032-01-01 08:00", "2031-12-29 00:00"},
		{"month", "2031-05-31 23:59", "2031-05-01 00:00"},
		{"3months", "2031-01-01 00:00", "2031-01-01 00:00"},
		{"3months", "2031-03-31 23:59", "2031-01-01 00:00"},
		{"3months", "2031-05-15 10:00", "2031-04-01 00:00"},
		{"3months", "2031-12-31 10:00", "2031-10-01 00:00"},
		{"6months", "2031-06-30 23:59", "2031-01-01 00:00"},
		{"6months", "2031-07-01 00:00", "2031-07-01 00:00"},
		{"6months", "2031-12-31 23:59", "2031-07-01 00:00"},
		{"year", "2031-12-31 23:59", "2031-01-01 00:00"},
	} {
		at, err := time.ParseInLocation(layout, c.at, zone)
		if err != nil {
			t.Fatal(err)
		}
		if got := windowStart(c.period, at.UTC(), zone).Format(layout); got != c.want {
			t.Errorf("%s at %s begins %s, want %s", c.period, c.at, got, c.want)
		}
	}
	if got := windowStart("forever", time.Now(), zone); !got.IsZero() {
		t.Errorf("for ever begins %s", got)
	}
}

// A moment lies in its own window, and all moments of a window have the same start.
func TestWindowsAreWhole(t *testing.T) {
	zones := calendartest.Zones(t)
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		period := rapid.SampledFrom(Periods[:len(Periods)-1]).Draw(t, "period")
		at := time.Unix(rapid.Int64Range(1_400_000_000, 4_000_000_000).Draw(t, "at"), 0)
		start := windowStart(period, at, zone)
		if start.After(at) {
			t.Fatalf("the %s of %s begins later, at %s", period, at, start)
		}
		between := start.Add(time.Duration(rapid.Int64Range(0, int64(at.Sub(start))).Draw(t, "between")))
		if !windowStart(period, between, zone).Equal(start) {
			t.Fatalf("%s and %s are of one %s", at, between, period)
		}
		before := start.Add(-time.Second)
		if !windowStart(period, before, zone).Before(start) {
			t.Fatalf("%s is in the %s before %s", before, period, start)
		}
	})
}

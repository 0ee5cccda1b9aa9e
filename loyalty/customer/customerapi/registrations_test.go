package customerapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customertest"
	"punchcard/platform/calendar/calendartest"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestIntervalsOfRegistrations(t *testing.T) {
	at := time.Date(2031, 3, 31, 22, 30, 0, 0, time.UTC) // in Warsaw it is the 1st of April
	for _, c := range []struct {
		interval string
		zone     string
		days     int
		want     string
	}{
		{"day", "UTC", 1, "2031-03-31"}, {"day", "Europe/Warsaw", 1, "2031-04-01"},
		{"day", "Europe/Warsaw", 3, "2031-03-30 2031-03-31 2031-04-01"}, {"week", "UTC", 2, "2031-03-30 2031-03-31"},
		{"month", "UTC", 31, "2031-03"}, {"month", "UTC", 32, "2031-02 2031-03"}, {"month", "Europe/Warsaw", 1, "2031-04"},
		{"year", "UTC", 90, "2031"}, {"year", "UTC", 91, "2030 2031"}, {"year", "UTC", 800, "2029 2030 2031"},
	} {
		var keys []string
		for _, s := range spansOf(c.interval, c.days, at, zone(t, c.zone)) {
			keys = append(keys, s.key)
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%d days by %s in %s: %s, want %s", c.days, c.interval, c.zone, got, c.want)
		}
	}
}

// Intervals have no gaps, even if a clock change skips midnight, and end with today.
func TestIntervalsFollowEachOther(t *testing.T) {
	zones := calendartest.Zones(t)
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SampledFrom(zones).Draw(t, "zone")
		at := time.Unix(rapid.Int64Range(1_600_000_000, 1_900_000_000).Draw(t, ""), 0)
		interval := rapid.SampledFrom([]string{"day", "month", "year"}).Draw(t, "interval")
		days := rapid.IntRange(1, 500).Draw(t, "days")
		spans := spansOf(interval, days, at, in)
		for i, s := range spans {
			if !s.From.Before(s.To) || i > 0 && (!spans[i-1].To.Equal(s.From) || spans[i-1].key >= s.key) {
				t.Fatalf("%v after %v", s, spans[max(0, i-1)])
			}
		}
		last := spans[len(spans)-1]
		if at.Before(last.From) || !at.Before(last.To) || interval == "day" && len(spans) != days {
			t.Fatalf("%d spans, the last is %v, now is %s", len(spans), last, at)
		}
	})
}

func TestRegistrationsAreCounted(t *testing.T) {
	dbtest.EachAt(t, customertest.Clock, func(t *testing.T, d *db.DB) { // 3 July, 12:15 in Warsaw
		s := newShop(t, d, "SHOP")
		newShop(t, d, "OTHER").Register(customer.Registration{})
		var gone string
		for _, created := range []string{
			"2031-07-03T10:15:00Z", "2031-07-02T22:00:00Z", "2031-07-02T21:59:59Z", "2031-06-30T22:00:00Z",
			"2031-06-30T21:59:59Z", "2030-12-31T23:00:00Z",
		} {
			moment, err := time.Parse(time.RFC3339, created)
			if err != nil {
				t.Fatal(err)
			}
			s.Register(customer.Registration{CreatedAt: moment})
			gone = s.Register(customer.Registration{CreatedAt: moment}).ID
			s.Write(func(tx *db.Tx) error {
				c, _, err := customer.Lock(tx, s.Store, gone)
				if err != nil {
					return err
				}
				return customer.Delete(tx, s.Store, c)
			})
		}
		base := s.serve()
		for query, want := range map[string]string{
			"lastDays=4":                 `{"2031-06-30":1,"2031-07-01":1,"2031-07-02":1,"2031-07-03":2}`,
			"lastDays=1":                 `{"2031-07-03":2}`,
			"interval=month&lastDays=33": `{"2031-06":1,"2031-07":4}`,
			"interval=year&lastDays=365": `{"2030":0,"2031":6}`,
			"interval=YEAR&lastDays=-1":  "30 days",
			"lastDays=some":              "30 days",
			"":                           "30 days",
			"lastDays=99999999":          fmt.Sprint(LastDaysLimit, " days"),
		} {
			status, body := s.ask(base, "GET", "/api/SHOP/customer/registrations?"+query, "")
			if days, found := strings.CutSuffix(want, " days"); found {
				body, want = fmt.Sprint(strings.Count(body, ":")), days
			}
			if status != "200" || body != want {
				t.Errorf("%s: %s %s, want %s", query, status, body, want)
			}
		}
	})
}

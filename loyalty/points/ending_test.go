package points_test

import (
	"fmt"
	"testing"
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Points that expire are summed up by day: what was spent is not among them, nor what has expired although no job has
// stored it. The accounts that are due first are examined first.
func TestEndingByDay(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := newClock()
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			first := owner(t, d, 0)
			second := points.Owner{Store: first.Store, CustomerID: db.NewID()}
			err := d.Write(t.Context(), func(tx *db.Tx) error {
				_, err := points.Open(tx, second.Store, second.CustomerID)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range []struct {
				owner points.Owner
				value points.Amount
				days  int
			}{{first, 500, 1}, {first, 300, 3}, {second, 200, 3}} {
				if _, err := grant(d, g.owner, g.value, g.days); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := spend(d, first, 100); err != nil {
				t.Fatal(err)
			}
			for _, want := range []struct {
				days, ahead, limit int
				found              string
				all                bool
			}{
				{0, 0, 10, "map[]", true},
				{0, 2, 10, "map[2031-03-04:4]", true},
				{0, 3, 10, "map[2031-03-04:4 2031-03-06:5]", true},
				{0, 3, 1, "map[2031-03-04:4 2031-03-06:3]", false},
				{2, 1, 10, "map[2031-03-06:5]", true},
				{2, 1, 10, "map[]", true},
			} {
				c.Advance(time.Duration(want.days) * 24 * time.Hour)
				before := calendar.DayOf(d.Now(), first.Store.Zone) + calendar.Day(want.ahead) + 1
				err := d.Read(t.Context(), func(tx *db.Tx) error {
					found, all, err := points.EndingByDay(tx, first.Store, before.Start(first.Store.Zone), want.limit,
						"TRUE")
					if fmt.Sprint(found) != want.found || all != want.all {
						t.Errorf("until %s: %v, all %v, want %s, %v", before-1, found, all, want.found, want.all)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// In Santiago, the last hour of 3 April 2027 occurs twice.
func TestPointsLastUntilTheDayEnds(t *testing.T) {
	santiago, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			c := dbtest.NewClock(time.Date(2027, 4, 1, 15, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			o := owner(t, d, 0)
			o.Store.Zone = santiago
			if _, err := grant(d, o, 700, 2); err != nil {
				t.Fatal(err)
			}
			c.Advance(time.Date(2027, 4, 4, 3, 59, 59, 0, time.UTC).Sub(c.Now()))
			if a := balance(t, d, o); a.Points != 700 || a.Expired != 0 {
				t.Errorf("in the last second: spendable %v, expired %v", a.Points, a.Expired)
			}
			c.Advance(time.Second)
			if a := balance(t, d, o); a.Points != 0 || a.Expired != 700 {
				t.Errorf("on the next day: spendable %v, expired %v", a.Points, a.Expired)
			}
		})
	}
}

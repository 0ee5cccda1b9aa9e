package analytics

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/rollup"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// The job merges the sums of past days, which concurrent transactions have added to, and changes none of them.
func TestPastDaysAreMerged(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var ahead atomic.Int64 // days
		begin := time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC)
		clock := func() time.Time { return begin.AddDate(0, 0, int(ahead.Load())) }
		testMerging(t, dbtest.Open(t, dbtest.Config(t, engine), clock), clock, &ahead)
	})
}

func testMerging(t *testing.T, d *db.DB, clock func() time.Time, ahead *atomic.Int64) {
	s := shoptest.Open(t, d, "PAST", nil)
	recompute := func() (done int64) {
		t.Helper()
		done, err := Recompute(t.Context(), d, s.Store)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	recompute() // of a new store
	recompute()
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			if err := d.Write(t.Context(), func(tx *db.Tx) error {
				add := rollup.Adding(tx, s.Store)
				add(clock(), rollup.Sales, 3)
				add(clock().AddDate(0, 0, 1), rollup.Receipts, 1)
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	today := calendar.DayOf(clock(), s.Store.Zone)
	look := func() (days map[calendar.Day]rollup.Sums, scattered []calendar.Day) {
		s.Read(func(tx *db.Tx) (err error) {
			if days, err = rollup.Days(tx, s.Store.Key, today, today+1); err != nil {
				return err
			}
			scattered, err = rollup.Scattered(tx, s.Store.Key, today+1, 10)
			return err
		})
		return days, scattered
	}
	before, scattered := look()
	if len(before) != 2 || before[today][rollup.Sales] != 3*64 {
		t.Fatalf("the sums are %v", before)
	}
	ahead.Store(1)
	if done := recompute(); done != 0 {
		t.Errorf("%d days were merged too early", done)
	}
	ahead.Store(9)
	if done := recompute(); int(done) != len(scattered) {
		t.Errorf("%d days were merged, want %v", done, scattered)
	}
	after, left := look()
	if diff := cmp.Diff(before, after); diff != "" || len(left) > 0 {
		t.Errorf("%v is still in several rows; %s", left, diff)
	}
}

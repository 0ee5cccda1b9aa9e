package event

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// Searches find the newest events of one store first, page by page and window by window, and stop at the beginning.
func TestSearch(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			searches(t, dbtest.Open(t, dbtest.Config(t, engine), clock.Now), clock)
		})
	}
}

func searches(t *testing.T, d *db.DB, clock *dbtest.Clock) {
	t.Helper()
	a, b := db.NewID(), db.NewID()
	began := d.Now()
	for i := range 12 {
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			if i%3 == 2 {
				return Append(tx, 2, Entry{b, plainFact{fmt.Sprint(i)}})
			}
			return Append(tx, 1, Entry{a, noted{fmt.Sprint(i), 1, i%2 == 1}})
		})
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Hour)
	}
	if _, err := Number(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		filter Filter
		want   string // ids of all pages
		pages  int
	}{
		{Filter{StoreKey: 1, Limit: 100, Window: 100}, "11 10 8 7 5 4 2 1", 1},
		{Filter{StoreKey: 1, Limit: 3, Window: 100}, "11 10 8 7 5 4 2 1", 3},
		{Filter{StoreKey: 1, Limit: 100, Window: 5}, "11 10 8 7 5 4 2 1", 3},
		{Filter{StoreKey: 2, Limit: 100, Window: 2}, "12 9 6 3", 6},
		{Filter{StoreKey: 3, Limit: 100, Window: 100}, "", 1},
		{Filter{StoreKey: 2, Type: "Platform.Test.Event.Kept", Limit: 100, Window: 100}, "12 9 6 3", 1},
		{Filter{StoreKey: 1, Type: "Platform.Test.*", Limit: 100, Window: 100}, "11 10 8 7 5 4 2 1", 1},
		{Filter{StoreKey: 1, Type: "Platform.Test", Limit: 100, Window: 100}, "", 1},
		{Filter{StoreKey: 1, Type: "%", Limit: 100, Window: 100}, "", 1},
		{Filter{StoreKey: 1, About: a, Limit: 100, Window: 1}, "11 7 5 1", 1},
		{Filter{StoreKey: 1, About: a, Limit: 2, Window: 1}, "11 7 5 1", 2},
		{Filter{StoreKey: 2, About: a, Limit: 100, Window: 1}, "", 1},
		{Filter{StoreKey: 1, From: began.Add(4 * time.Hour), To: began.Add(7 * time.Hour), Limit: 100, Window: 4},
			"8 7 5", 3},
		{Filter{StoreKey: 1, Before: 5, Limit: 100, Window: 100}, "4 2 1", 1},
	} {
		var ids []string
		pages, filter := 0, c.filter
		for more := true; more && pages < 20; pages++ {
			err := d.Read(t.Context(), func(tx *db.Tx) error {
				events, looked, err := Search(tx, filter)
				for _, e := range events {
					ids = append(ids, fmt.Sprint(e.ID))
				}
				more, filter.Before = looked.Next > 1, looked.Next
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(ids, " "); got != c.want || pages != c.pages {
			t.Errorf("%+v: %q in %d pages, want %q in %d", c.filter, got, pages, c.want, c.pages)
		}
	}
}

package event

import (
	"context"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestChunkIsBounded(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		note := string(make([]byte, ChunkBytes/20)) // 6 bytes each as JSON
		for range 5 {
			err := d.Write(t.Context(), func(tx *db.Tx) error { return Append(tx, 7, Entry{"a", happened{Note: note}}) })
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Number(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		events, more, err := After(t.Context(), d, 0, 500)
		if err != nil || len(events) != 4 || !more {
			t.Errorf("a chunk of %d events, more %t, %v", len(events), more, err)
		}
		events, more, err = After(t.Context(), d, 4, 500)
		if err != nil || len(events) != 1 || more {
			t.Errorf("the last chunk has %d events, more %t, %v", len(events), more, err)
		}
	})
}

func setCursor(t testing.TB, d *db.DB, id int64) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE event_cursors SET last_id = $1 WHERE name = 'relay'`, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLag(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			now := time.Date(2030, 5, 6, 7, 8, 9, 0, time.UTC)
			d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return now })
			check := func(events int64, age time.Duration) {
				t.Helper()
				gotEvents, gotAge, err := Lag(t.Context(), d)
				if err != nil || gotEvents != events || gotAge != age {
					t.Errorf("the lag is %d events, %v, %v; want %d, %v", gotEvents, gotAge, err, events, age)
				}
			}
			check(0, 0)
			appendMany(t, d, "a", 1, 3)
			now = now.Add(time.Minute)
			check(3, time.Minute)
			if _, err := Number(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			appendMany(t, d, "a", 4, 2)
			now = now.Add(time.Minute)
			check(5, 2*time.Minute)
			setCursor(t, d, 3)
			check(2, time.Minute)
		})
	}
}

// Only PostgreSQL has events without a number. Their backlog does not depend on the cursor of a relay.
func TestUnnumbered(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(time.Date(2030, 5, 6, 7, 8, 9, 0, time.UTC))
			d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
			check := func(events int64, age time.Duration) {
				t.Helper()
				if engine == "sqlite" {
					events, age = 0, 0
				}
				gotEvents, gotAge, err := Unnumbered(t.Context(), d)
				if err != nil || gotEvents != events || gotAge != age {
					t.Errorf("the backlog is %d events, %v, %v; want %d, %v", gotEvents, gotAge, err, events, age)
				}
				for _, limit := range []time.Duration{0, time.Minute, 2 * time.Minute} {
					if err := Unnumbered.Check(t.Context(), d, limit); (err != nil) != (limit > 0 && age > limit) {
						t.Errorf("with a limit of %v: %v", limit, err)
					}
				}
			}
			check(0, 0)
			appendMany(t, d, "a", 1, 3)
			clock.Advance(time.Minute)
			appendMany(t, d, "a", 4, 2)
			clock.Advance(time.Minute)
			check(5, 2*time.Minute)
			if _, err := Number(t.Context(), d); err != nil {
				t.Fatal(err)
			}
			check(0, 0)
		})
	}
}

// Events that get their numbers while the lag is read are counted, and their age is known.
func TestLagWhileEventsAreNumbered(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			config := dbtest.Config(t, engine)
			writer := dbtest.Open(t, config, clock.Now)
			statements := 0
			config.Trace = func(string, []any) {
				if statements++; statements == 2 {
					if _, err := Number(context.Background(), writer); err != nil {
						t.Error(err)
					}
				}
			}
			reader := dbtest.Open(t, config, clock.Now)
			appendMany(t, writer, "a", 1, 3)
			clock.Advance(time.Hour)
			statements = 0
			for range 2 {
				if events, age, err := Lag(t.Context(), reader); err != nil || events != 3 || age != time.Hour {
					t.Errorf("%d events for %v, %v", events, age, err)
				}
			}
		})
	}
}

package event

import (
	"fmt"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// expectState runs one round of the relay.
func expectState(t *testing.T, r *Relay, want state) {
	t.Helper()
	if got, err := r.round(t.Context()); got != want || err != nil {
		t.Fatalf("the state of the relay is %d, %v; want %d", got, err, want)
	}
}

func expectLag(t *testing.T, d *db.DB, want int64) {
	t.Helper()
	if events, age, err := Lag(t.Context(), d); err != nil || events != want || (age > 0) != (want > 0) {
		t.Fatalf("%d events wait for %v, %v; want %d", events, age, err, want)
	}
}

// While nobody can read the queue, nothing is published and nothing waits. Readers find all events,
// each once, also those of the time when they were away.
func TestRelayRestsWithoutReaders(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
			folder := t.TempDir()
			q := openEmbedded(t, folder)
			r := NewRelay(d, q, alone())
			appendMany(t, d, "a", 1, 10)
			clock.Advance(time.Hour)
			expectLag(t, d, 10) // before the first round it is not known who reads
			for range 2 {
				expectState(t, r, resting)
				expectLag(t, d, 0)
				if err := r.Check(time.Minute)(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if ids := contents(t, q); len(ids) > 0 {
				t.Errorf("the messages %v were published for nobody", ids)
			}

			leave := connectReader(t, q)
			expectState(t, r, partial)
			expectState(t, r, idle)
			checkComplete(t, q, 10)
			leave()
			appendMany(t, d, "b", 1, 10)
			clock.Advance(time.Hour)
			expectLag(t, d, 10)
			expectState(t, r, resting)
			expectLag(t, d, 0)
			checkComplete(t, q, 10)
			q.Close()

			q = openRead(t, folder) // a restart at rest
			defer q.Close()
			_, stop := startRelay(d, q, alone())
			defer stop()
			relayUntil(t, 20, d)
			appendMany(t, d, "c", 1, 10)
			relayUntil(t, 30, d)
			stop()
			checkComplete(t, q, 30)
		})
	}
}

// The first reader after a long rest finds the newest events, not all since the beginning.
func TestFirstReaderFindsTheNewest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := openEmbedded(t, t.TempDir())
		defer q.Close()
		r := NewRelay(d, q, alone())
		expectState(t, r, resting)
		err := d.Write(t.Context(), func(tx *db.Tx) error {
			var rows [][]any
			for _, id := range []int64{10, 11, 12, RefillLimit + 11} { // as if all between were there
				rows = append(rows, []any{id, int64(7), "a", "b.c", id, "{}", true})
			}
			return tx.Insert("events", "id, store_id, aggregate_id, type, recorded_at, payload, traced", "", rows...)
		})
		if err != nil {
			t.Fatal(err)
		}
		expectState(t, r, resting)
		connectReader(t, q)
		expectState(t, r, partial)
		if got, want := fmt.Sprint(contents(t, q)), fmt.Sprint([]int64{12, RefillLimit + 11}); got != want {
			t.Errorf("the queue has %s, want %s", got, want)
		}
		expectLag(t, d, 0)
	})
}

// A node was killed when its relay had just published after a rest. Another one repeats nothing.
func TestRelayKilledAfterARest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := openEmbedded(t, t.TempDir())
		defer q.Close()
		shared := &leases{clock: time.Now}
		killed := NewRelay(d, q, shared.of("killed"))
		appendMany(t, d, "a", 1, 10)
		expectState(t, killed, resting)
		connectReader(t, q)
		expectState(t, killed, partial)
		if err := killed.lease.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		err := d.Write(t.Context(), func(tx *db.Tx) error { // as if it had not stored its cursor
			_, err := tx.Exec(`DELETE FROM event_cursors WHERE name = 'relay'`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		appendMany(t, d, "a", 11, 3)
		other := NewRelay(d, q, shared.of("other"))
		expectState(t, other, partial)
		expectState(t, other, idle)
		checkComplete(t, q, 13)
	})
}

// Beside a node whose queue has readers, a node at rest leaves the cursor alone.
func TestRestBesideARelay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		shared := &leases{clock: time.Now}
		quiet, read := openEmbedded(t, t.TempDir()), openRead(t, t.TempDir())
		defer quiet.Close()
		defer read.Close()
		atRest, works := NewRelay(d, quiet, shared.of("at rest")), NewRelay(d, read, shared.of("works"))
		expectState(t, atRest, resting)
		appendMany(t, d, "a", 1, 10)
		expectState(t, works, partial)
		appendMany(t, d, "a", 11, 10)
		expectState(t, atRest, resting)
		expectLag(t, d, 10)
		expectState(t, works, partial)
		checkComplete(t, read, 20)
	})
}

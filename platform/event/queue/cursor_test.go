package queue

import (
	"fmt"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/event/queue/natstest"
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
	if events, age, err := event.Lag(t.Context(), d); err != nil || events != want || (age > 0) != (want > 0) {
		t.Fatalf("%d events wait for %v, %v; want %d", events, age, err, want)
	}
}

// forget starts a node without a queue.
func forget(t *testing.T, d *db.DB, lease Lease) {
	t.Helper()
	if err := ForgetCursor(t.Context(), d, lease); err != nil {
		t.Fatal(err)
	}
}

// Without a queue, no event waits for one. A queue that comes later, or comes again, gets all events, each once.
func TestQueueComesAndGoes(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			clock := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
			url := natstest.Run(t, t.TempDir(), -1).ClientURL()
			for n := range 3 {
				appendMany(t, d, "before", 1, 10)
				clock.Advance(time.Hour)
				expectLag(t, d, 10) // of the cursor of a new database, or of the last queue
				for range 2 {
					forget(t, d, alone())
					expectLag(t, d, 0)
				}
				appendMany(t, d, "without", 1, 10)
				clock.Advance(time.Hour)
				expectLag(t, d, 0)

				q := open(t, Config{URL: url})
				r := NewRelay(d, q, alone())
				expectState(t, r, partial)
				expectState(t, r, idle)
				checkComplete(t, q, int64(20*(n+1)))
				q.Close()
			}
		})
	}
}

// A queue that comes late gets the newest events, not all since the beginning.
func TestNewQueueGetsTheNewest(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		forget(t, d, alone())
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
		q := openNew(t)
		expectState(t, NewRelay(d, q, alone()), partial)
		if got, want := fmt.Sprint(contents(t, q)), fmt.Sprint([]int64{12, RefillLimit + 11}); got != want {
			t.Errorf("the queue has %s, want %s", got, want)
		}
		expectLag(t, d, 0)
	})
}

// A node was killed when its relay had just published to a new queue. Another one repeats nothing.
func TestRelayKilledBeforeItsFirstCursor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := openNew(t)
		shared := &leases{clock: time.Now}
		forget(t, d, shared.of("without a queue"))
		appendMany(t, d, "a", 1, 10)
		killed := NewRelay(d, q, shared.of("killed"))
		expectState(t, killed, partial)
		if err := killed.lease.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		forget(t, d, shared.of("without a queue")) // as if the relay had not stored its cursor
		appendMany(t, d, "a", 11, 3)
		other := NewRelay(d, q, shared.of("other"))
		expectState(t, other, partial)
		expectState(t, other, idle)
		checkComplete(t, q, 13)
	})
}

// Beside a node that relays, a node without a queue leaves the cursor alone.
func TestNodeWithoutQueueBesideARelay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		shared := &leases{clock: time.Now}
		q := openNew(t)
		relay := NewRelay(d, q, shared.of("relay"))
		appendMany(t, d, "a", 1, 10)
		expectState(t, relay, partial)
		appendMany(t, d, "a", 11, 10)
		forget(t, d, shared.of("without a queue"))
		expectLag(t, d, 10)
		expectState(t, relay, partial)
		checkComplete(t, q, 20)
	})
}

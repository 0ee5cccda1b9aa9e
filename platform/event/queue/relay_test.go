package queue

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/event/queue/natstest"
	"punchcard/platform/testwait"
)

// leases is one lease that the relays of a test compete for.
type leases struct {
	clock func() time.Time

	mutex  sync.Mutex
	holder string
	until  time.Time
}

const leaseTerm = 20 * time.Second

// of returns the lease for a node.
func (l *leases) of(node string) Lease { return nodeLease{l, node} }

type nodeLease struct {
	*leases
	node string
}

func (l nodeLease) Hold(context.Context) (bool, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.holder != l.node && l.clock().Before(l.until) {
		return false, nil
	}
	l.holder, l.until = l.node, l.clock().Add(leaseTerm)
	return true, nil
}

func (l nodeLease) Release(context.Context) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.holder == l.node {
		l.until = time.Time{}
	}
	return nil
}

// testClock is the system's clock with an advance.
type testClock struct{ ahead atomic.Int64 }

func (c *testClock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (c *testClock) advance(by time.Duration) { c.ahead.Add(int64(by)) }

// alone is the lease of a relay that is the only one.
func alone() Lease { return (&leases{clock: time.Now}).of("alone") }

// startRelay runs a relay with the lease; stop ends it and waits for its end.
func startRelay(d *db.DB, q *Queue, lease Lease) (r *Relay, stop func()) {
	r = NewRelay(d, q, lease)
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { r.Run(ctx) })
	return r, sync.OnceFunc(func() {
		cancel()
		running.Wait()
	})
}

// relayUntil waits for the cursor of the relay, which runs on one of the nodes.
func relayUntil(t testing.TB, id int64, nodes ...*db.DB) {
	t.Helper()
	commits := testwait.NewSignal()
	for _, d := range nodes {
		d.OnCommit(commits.Send)
	}
	commits.Until(t, fmt.Sprintf("relay of event %d", id), func() bool { return cursorOf(t, nodes[0]) >= id })
}

func cursorOf(t testing.TB, d *db.DB) int64 {
	t.Helper()
	now, err := progress(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return now.relayed
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

func TestRelay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		url := natstest.Run(t, t.TempDir(), -1).ClientURL()
		q := open(t, Config{URL: url})
		appendMany(t, d, "before", 1, ChunkEvents+10)
		_, stop := startRelay(d, q, alone())
		appendMany(t, d, "meanwhile", 1, 10)
		relayUntil(t, ChunkEvents+20, d)
		appendMany(t, d, "after", 1, 1) // wakes a relay that has nothing to do
		relayUntil(t, ChunkEvents+21, d)
		stop()
		checkComplete(t, q, ChunkEvents+21)

		stream, err := q.stream.Stream(t.Context(), StreamName)
		if err != nil {
			t.Fatal(err)
		}
		m, err := stream.GetMsg(t.Context(), ChunkEvents+21)
		if err != nil {
			t.Fatal(err)
		}
		e, _, err := event.Find(t.Context(), d, ChunkEvents+21)
		if err != nil {
			t.Fatal(err)
		}
		if m.Subject != "punchcard.events.7.Platform.Domain.Test.Event.Happened" || string(m.Data) != `{"number":1}` ||
			m.Header.Get("Nats-Msg-Id") != "521" || m.Header.Get("Punchcard-Aggregate") != "after" ||
			m.Header.Get("Punchcard-Type") != e.Type ||
			m.Header.Get("Punchcard-Recorded-At") != fmt.Sprint(e.RecordedAt.UnixMicro()) {
			t.Errorf("the message is %s %s with %v", m.Subject, m.Data, m.Header)
		}

		// After a restart the relay continues at the cursor.
		q.Close()
		appendMany(t, d, "away", 1, 5)
		q = open(t, Config{URL: url})
		_, stop = startRelay(d, q, alone())
		relayUntil(t, ChunkEvents+26, d)
		stop()
		checkComplete(t, q, ChunkEvents+26)
	})
}

// A relay crashed after publishing its events and before storing its cursor.
func TestRelayAfterLostCursor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := openNew(t)
		appendMany(t, d, "a", 1, 20)
		_, stop := startRelay(d, q, alone())
		relayUntil(t, 20, d)
		stop()
		setCursor(t, d, 5)
		appendMany(t, d, "a", 21, 5)
		_, stop = startRelay(d, q, alone())
		relayUntil(t, 25, d)
		stop()
		checkComplete(t, q, 25)
	})
}

// After a power loss or a new installation, the queue has fewer events than the cursor says.
func TestRelayRefillsWhatTheQueueLost(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		folder, earlier := t.TempDir(), filepath.Join(t.TempDir(), "earlier")
		run := func(folder string, last int64) {
			server := natstest.Run(t, folder, -1)
			defer server.Stop()
			q := open(t, Config{URL: server.ClientURL()})
			defer q.Close()
			r, stop := startRelay(d, q, alone())
			testwait.Until(t, "refill", func() bool { return r.Ping(t.Context()) == nil && complete(t, q, last) })
			stop()
			if cursor := cursorOf(t, d); cursor != last {
				t.Errorf("the cursor is %d, want %d", cursor, last)
			}
			checkComplete(t, q, last)
		}
		appendMany(t, d, "a", 1, 20)
		run(folder, 20)
		if err := os.CopyFS(earlier, os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
		appendMany(t, d, "a", 21, 20)
		run(folder, 40)
		run(earlier, 40)     // without a new event to remind of it
		run(t.TempDir(), 40) // an empty queue
	})
}

func complete(t testing.TB, q *Queue, last int64) bool {
	ids := contents(t, q)
	return len(ids) > 0 && ids[len(ids)-1] == last
}

// The last message of a queue is ignored if it is not an event of this database: here another program
// published it, and then the database is another one.
func TestRelayIntoForeignQueue(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := openNew(t)
		appendMany(t, d, "a", 1, 10)
		_, stop := startRelay(d, q, alone())
		defer stop()
		relayUntil(t, 10, d)
		foreign := event.Event{ID: 14, StoreKey: 7, AggregateID: "b", Type: "other", Payload: []byte("{}")}
		if _, err := q.stream.PublishMsg(t.Context(), message(&foreign, 1<<20)); err != nil {
			t.Fatal(err)
		}
		appendMany(t, d, "a", 11, 3) // the running relay notices that it is out of step
		relayUntil(t, 13, d)
		want := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 11, 12, 13}
		if got := contents(t, q); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the queue has %v, want %v", got, want)
		}
	})
}

func TestRelayWhileTheQueueComesAndGoes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		n := startNATS(t)
		q := open(t, Config{URL: n.url()})
		r, stop := startRelay(d, q, alone())
		defer stop()
		appendMany(t, d, "a", 1, 10)
		if err := r.Ping(t.Context()); err == nil {
			t.Error("no problem is reported although there is no queue")
		}
		last := int64(10)
		for range 3 {
			n.up(t)
			relayUntil(t, last, d)
			appendMany(t, d, "b", 1, 3*ChunkEvents)
			last += 3 * ChunkEvents
			relayUntil(t, last-2*ChunkEvents, d) // the lease is lost in the middle of the work
			n.down()
			testwait.Until(t, "problem", func() bool { return r.Ping(t.Context()) != nil })
			appendMany(t, d, "c", 1, 5)
			last += 5
		}
		n.up(t)
		relayUntil(t, last, d)
		testwait.Until(t, "health", func() bool { return r.Ping(t.Context()) == nil })
		checkComplete(t, q, last)
	})
}

// The health check fails if the stream refuses messages, even if the server responds.
func TestRelayIntoSealedStream(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now)
	q := openNew(t)
	stream, err := q.stream.Stream(t.Context(), StreamName)
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.Sealed = true
	if _, err := q.stream.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	r, stop := startRelay(d, q, alone())
	defer stop()
	if err := q.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	appendMany(t, d, "a", 1, 3)
	testwait.Until(t, "problem", func() bool { return r.Ping(t.Context()) != nil })
	if err := q.stream.DeleteStream(t.Context(), StreamName); err != nil {
		t.Fatal(err)
	}
	relayUntil(t, 3, d)
	checkComplete(t, q, 3)
}

func TestRelaysOfTwoNodes(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			var clock testClock
			shared := &leases{clock: clock.now}
			config := dbtest.Config(t, engine)
			url := natstest.Run(t, t.TempDir(), -1).ClientURL()
			var nodes [2]*db.DB
			var queues [2]*Queue
			var stops [2]func()
			for i := range nodes {
				nodes[i] = dbtest.Open(t, config, clock.now)
				queues[i] = open(t, Config{URL: url})
				_, stops[i] = startRelay(nodes[i], queues[i], shared.of(fmt.Sprint("node ", i)))
				defer stops[i]()
			}
			last := int64(0)
			for range 20 {
				for _, node := range nodes {
					appendMany(t, node, "both", 1, 10)
					last += 10
				}
			}
			relayUntil(t, last, nodes[:]...)
			stops[0]() // gives its lease back, if it has it
			appendMany(t, nodes[0], "left", 1, 10)
			last += 10
			relayUntil(t, last, nodes[1])
			stops[1]()
			checkComplete(t, queues[1], last)

			// A node that crashed keeps its lease until the term is over.
			if held, err := shared.of("crashed").Hold(t.Context()); !held || err != nil {
				t.Fatal(held, err)
			}
			appendMany(t, nodes[1], "waiting", 1, 1)
			r := NewRelay(nodes[1], queues[1], shared.of("third"))
			if state, err := r.round(t.Context()); state != standby || err != nil {
				t.Errorf("the state beside a crashed node is %d, %v", state, err)
			}
			_, stop := startRelay(nodes[1], queues[1], shared.of("fourth"))
			defer stop()
			clock.advance(leaseTerm + time.Second)
			relayUntil(t, last+1, nodes[1])
			stop()
			checkComplete(t, queues[1], last+1)
		})
	}
}

// A relay whose lease expired unnoticed, such as after a long stall, does no harm.
func TestRelayWithStaleLease(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		q := openNew(t)
		shared := &leases{clock: time.Now}
		stale := NewRelay(d, q, shared.of("stale"))
		appendMany(t, d, "a", 1, 10)
		if _, err := stale.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := stale.lease.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		other := NewRelay(d, q, shared.of("other"))
		appendMany(t, d, "a", 11, 10)
		if _, err := other.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := stale.relayChunk(t.Context()); err == nil {
			t.Error("a relay that was overtaken does not notice")
		}
		appendMany(t, d, "a", 21, 10)
		if state, err := stale.round(t.Context()); state != standby || err != nil {
			t.Errorf("the state beside another relay is %d, %v", state, err)
		}
		if _, err := other.round(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkComplete(t, q, 30)
	})
}

func TestRest(t *testing.T) {
	for _, test := range []struct {
		after      state
		took, want time.Duration
	}{
		{full, 7 * time.Millisecond, 7 * time.Millisecond},
		{partial, 7 * time.Millisecond, shortRest},
		{partial, 2 * shortRest, 2 * shortRest},
		{full, time.Hour, longestRest},
		{full, -time.Hour, 0},
	} {
		if got := rest(test.after, test.took); got != test.want {
			t.Errorf("the rest after %+v is %v", test, got)
		}
	}
	if retryDelay(0) != firstRetry || retryDelay(1) != 2*firstRetry || retryDelay(1000) != lastRetry {
		t.Error("the pauses between retries are wrong")
	}
}

// The health check fails if the queue works but no node relays for longer than the limit.
func TestCheckKnowsTheLag(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
			d := dbtest.Open(t, dbtest.Config(t, engine), func() time.Time { return now })
			r := NewRelay(d, openNew(t), alone())
			check := func(limit time.Duration, want bool) {
				t.Helper()
				if err := r.Check(t.Context(), limit); (err == nil) != want {
					t.Errorf("at %v, with a limit of %v: %v", now, limit, err)
				}
			}
			check(time.Minute, true)
			appendMany(t, d, "a", 1, 3)
			check(time.Minute, true)
			now = now.Add(time.Minute)
			check(time.Minute, true)
			now = now.Add(time.Second)
			check(time.Minute, false)
			check(0, true)
			for s := full; s != idle; {
				var err error
				if s, err = r.round(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			check(time.Minute, true)
		})
	}
}

// refusedLease fails like a lease whose database refuses writes.
type refusedLease struct{}

func (refusedLease) Hold(context.Context) (bool, error) { return false, db.ErrBusy }
func (refusedLease) Release(context.Context) error      { return nil }

// Events that wait because the database refuses writes are not a problem of the message queue.
func TestCheckKnowsWhatFails(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			start := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
			clock := dbtest.NewClock(start)
			d := dbtest.Open(t, dbtest.Config(t, engine), clock.Now)
			q := openNew(t)
			appendMany(t, d, "a", 1, 3)
			clock.Advance(time.Hour)
			if err := NewRelay(d, q, alone()).Check(t.Context(), time.Minute); err == nil {
				t.Error("no problem although events wait for an hour")
			}
			r, stop := startRelay(d, q, refusedLease{})
			defer stop()
			testwait.Until(t, "health", func() bool { return r.Check(t.Context(), time.Minute) == nil })
		})
	}
}

// A database that cannot be reached is not a problem of the message queue.
func TestCheckWithoutDatabase(t *testing.T) {
	cluster, err := dbtest.StartCluster(dbtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	}()
	if err := cluster.CreateDatabase("gone"); err != nil {
		t.Fatal(err)
	}
	d := dbtest.Open(t, db.Config{URL: cluster.URL("gone")}, time.Now)
	r := NewRelay(d, openNew(t), alone())
	if err := cluster.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := event.Lag(t.Context(), d); err == nil {
		t.Fatal("a killed server answers")
	}
	if err := r.Check(t.Context(), time.Minute); err != nil {
		t.Error(err)
	}
}

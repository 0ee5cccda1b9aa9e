package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/testwait"
)

// A delivery whose call is interrupted by a shutdown is sent by the next sender, and no attempt counts.
func TestRestart(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		arrived, release := make(chan string), make(chan struct{})
		r := listen(t, func(w http.ResponseWriter, c call) {
			arrived <- c.header.Get("webhook-id")
			<-release
		})
		made := s.subscribes(r.url, nil)
		s.happens(1, "a first", "a second")
		stop := runs(s.sender())
		id := testwait.Receive(t, "the first call", arrived)
		stop()
		if states := s.states(made); states != "waiting 1, pending 1" {
			t.Fatal(states)
		}
		const attempts = `SELECT SUM(attempts) FROM webhook_deliveries WHERE subscription_id = $1`
		if got := s.text(attempts, made); got != "0" {
			t.Errorf("%s attempts are counted", got)
		}
		close(release)
		s.happens(1, "a third")
		stop = runs(s.sender())
		defer stop()
		for i, want := range []string{id, made.ID + "_2", made.ID + "_3"} {
			if got := testwait.Receive(t, "a call after the restart", arrived); got != want {
				t.Errorf("call %d is %s, want %s", i, got, want)
			}
		}
	})
}

// A slow receiver gets a limited number of concurrent calls, and does not delay others.
func TestSlowReceiversHoldUpNobody(t *testing.T) {
	dbtest.Both(t)
	each(t, func(t *testing.T, s *site) {
		arrived, release := make(chan struct{}), make(chan struct{})
		var calls, most atomic.Int64
		slow := listen(t, func(http.ResponseWriter, call) {
			most.Store(max(most.Load(), calls.Add(1)))
			defer calls.Add(-1)
			select {
			case arrived <- struct{}{}:
				<-release
			case <-release:
			}
		})
		fastGot := make(chan string, 100)
		fast := listen(t, func(_ http.ResponseWriter, c call) { fastGot <- c.name() })
		s.subscribes(slow.url, nil)
		s.subscribes(fast.url, nil)
		for i := range 30 {
			s.happens(1, fmt.Sprintf("aggregate%d %d", i, i))
		}
		stop := runs(s.sender())
		defer stop()
		for range webhook.SubscriptionCallLimit {
			testwait.Receive(t, "calls of the slow receiver", arrived)
		}
		var got []string
		for range 30 {
			got = append(got, testwait.Receive(t, "calls of the fast receiver", fastGot))
		}
		slices.Sort(got)
		if len(slices.Compact(got)) != 30 {
			t.Errorf("the fast receiver got %v", got)
		}
		close(release)
		if n := most.Load(); n > webhook.SubscriptionCallLimit {
			t.Errorf("%d calls at once", n)
		}
	})
}

// A receiver that fails has one call at a time.
func TestFailingReceiverHasOneCall(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		var calls, most atomic.Int64
		r := listen(t, func(w http.ResponseWriter, _ call) {
			most.Store(max(most.Load(), calls.Add(1)))
			defer calls.Add(-1)
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		s.subscribes(r.url, nil)
		s.happens(1, "first 0")
		sender := s.sender()
		s.settle(sender)
		s.happens(1, numbers("aggregate ", 1)...)
		for i := range 20 {
			s.happens(1, fmt.Sprintf("other%d x", i))
		}
		s.settle(sender)
		if n := most.Load(); n != 1 || len(r.got()) != 22 {
			t.Errorf("%d calls, %d at once", len(r.got()), n)
		}
	})
}

// With two nodes, events of both arrive once and in the order of their aggregate, also when the node
// that makes the calls stops.
func TestTwoNodes(t *testing.T) {
	dbtest.Both(t)
	config := dbtest.Config(t, "postgres")
	s := &site{t: t, config: config, clock: dbtest.NewClock(time.Now())}
	s.db = dbtest.Open(t, config, time.Now)
	s.stores = store.NewDirectory(s.db)
	s.client = s.newClient(nil)
	s.write(func(tx *db.Tx) error {
		_, err := store.Create(tx, store.New{Code: "ONE", Name: "One", Currency: "EUR", Settings: store.DefaultSettings()})
		return err
	})
	got := make(chan string, 1000)
	r := listen(t, func(_ http.ResponseWriter, c call) { got <- c.name() })
	s.subscribes(r.url, nil)
	other := dbtest.Open(t, config, time.Now)
	nodes := []*db.DB{s.db, other}
	var stops []func()
	for i, d := range nodes {
		lease := job.NewLease(d, "web hooks", fmt.Sprint("node", i))
		stops = append(stops, runs(webhook.NewSender(d, store.NewDirectory(d), s.client, lease)))
	}
	defer stops[1]()
	const each = 60
	appendAll := func(from, to int) {
		for i := from; i < to; i++ {
			for n, d := range nodes {
				name := fmt.Sprintf("%d-%03d", n, i)
				entry := event.Entry{AggregateID: fmt.Sprint("a", n), Fact: happened{"Happened", name}}
				err := d.Write(t.Context(), func(tx *db.Tx) error { return event.Append(tx, 1, entry) })
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	appendAll(0, each/2)
	last := testwait.Receive(t, "a call", got) // one of them works
	if last == "" {
		t.Fatal("the call has no name")
	}
	stops[0]() // gives the lease back, if it has it
	appendAll(each/2, each)
	names := []string{last}
	for len(slices.Compact(slices.Sorted(slices.Values(names)))) < 2*each {
		names = append(names, testwait.Receive(t, "the rest of the calls", got))
	}
	for n := range nodes {
		var of []string
		for _, name := range names {
			if strings.HasPrefix(name, fmt.Sprint(n, "-")) {
				of = append(of, name)
			}
		}
		// A call that was interrupted when the node stopped may be repeated next.
		if of = slices.Compact(of); len(of) != each || !slices.IsSorted(of) {
			t.Errorf("node %d's events arrived as %v", n, of)
		}
	}
}

// An event whose transaction commits after later ones is not skipped.
func TestLateCommit(t *testing.T) {
	s := open(t, "postgres")
	r := listen(t, nil)
	s.subscribes(r.url, nil)
	appended, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- s.db.Write(context.Background(), func(tx *db.Tx) error {
			err := event.Append(tx, 1, event.Entry{AggregateID: "slow", Fact: happened{"Happened", "late"}})
			close(appended)
			<-release
			return err
		})
	}()
	testwait.Receive(t, "the slow transaction", appended)
	s.happens(1, "quick early")
	sender := s.sender()
	s.settle(sender)
	r.expect(t, "early")
	close(release)
	if err := testwait.Receive(t, "the commit", ended); err != nil {
		t.Fatal(err)
	}
	s.settle(sender)
	r.expect(t, "early late")
}

// A failing receiver has at most OpenLimit unfinished deliveries. The rest is read later. Other
// receivers do not wait for it.
func TestReadingPausesWhenFull(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		full := s.subscribes("http://full.invalid", nil)
		other := s.subscribes("http://other.invalid", func(d *webhook.Draft) { d.EventNames = []string{"None*"} })
		for range 11 {
			s.happens(1, numbers("a", 1000)...)
		}
		sender := s.sender()
		if err := sender.ReadEvents(t.Context()); err != nil {
			t.Fatal(err)
		}
		const position = `SELECT position FROM webhook_subscriptions WHERE subscription_id = $1`
		if got := s.text(position, full); got != "10000" {
			t.Errorf("read up to %s", got)
		}
		if got := s.text(position, other); got != "11000" {
			t.Errorf("the other one read up to %s", got)
		}
		if states := s.states(full); states != "waiting 9000, pending 1000" {
			t.Error(states)
		}
		s.write(func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE webhook_deliveries SET finished_at = 1, due_at = NULL, state = 'dead'
				WHERE subscription_id = $1 AND event_id <= 1`, full.ID)
			return err
		})
		s.clock.Advance(time.Minute)
		if err := sender.ReadEvents(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.text(position, full); got != "10200" {
			t.Errorf("read on up to %s", got)
		}
	})
}

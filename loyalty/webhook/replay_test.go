package webhook_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// replays sends a range of events again and returns how many.
func (s *site) replays(of *webhook.Subscription, from, to int64) (n int) {
	s.t.Helper()
	events, _, err := event.After(s.t.Context(), s.db, from-1, int(to-from+1))
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(func(tx *db.Tx) (err error) {
		n, err = webhook.Replay(tx, 1, of.ID, events)
		return err
	})
	return n
}

// Events are sent again with the ids that they had, in the order of their aggregates.
func TestReplay(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.happens(1, "a 1", "b 2")
		r := listen(t, nil)
		made := s.subscribes(r.url, nil)
		s.happens(1, "a 3", "a 4")
		s.happens(2, "a foreign")
		s.happens(1, "a 6")
		sender := s.sender()
		s.settle(sender)
		r.expect(t, "3 4 6")
		if n := s.replays(made, 1, 6); n != 5 {
			t.Errorf("%d events are replayed", n)
		}
		s.settle(sender)
		if got := r.names(); got != "3 4 6 1 2 3 4 6" && got != "3 4 6 2 1 3 4 6" && got != "3 4 6 1 3 2 4 6" &&
			got != "3 4 6 1 3 4 2 6" && got != "3 4 6 1 3 4 6 2" {
			t.Errorf("arrived %q", got)
		}
		ids := map[string]int{}
		for _, c := range r.got() {
			ids[c.header.Get("webhook-id")]++
		}
		if len(ids) != 5 || ids[made.ID+"_3"] != 2 || ids[made.ID+"_1"] != 1 {
			t.Errorf("calls by id: %v", ids)
		}
		if states := s.states(made); states != "delivered 5" {
			t.Error(states)
		}
	})
}

// A replay leaves out deliveries in progress, and events that the subscription has not read yet.
func TestReplayLeavesOpenDeliveriesAlone(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, status(http.StatusInternalServerError))
		made := s.subscribes(r.url, nil)
		s.happens(1, "a 1", "a 2")
		sender := s.sender()
		s.settle(sender)
		s.happens(1, "a 3")
		if n := s.replays(made, 1, 3); n != 0 {
			t.Errorf("%d events are replayed", n)
		}
		if states := s.states(made); states != "waiting 1, pending 1" {
			t.Error(states)
		}
		r.recover()
		s.clock.Advance(time.Hour)
		s.settle(sender)
		r.expect(t, "1 1 2 3")
	})
}

// A replayed event waits for a later event of its aggregate whose delivery is in progress.
func TestReplayOfAnEarlierEvent(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		bad := "2"
		r := listen(t, func(w http.ResponseWriter, c call) {
			if c.name() == bad {
				w.WriteHeader(http.StatusInternalServerError)
			}
		})
		made := s.subscribes(r.url, nil)
		s.happens(1, "a 1", "a 2", "a 3")
		sender := s.sender()
		s.settle(sender)
		if n := s.replays(made, 1, 1); n != 1 {
			t.Errorf("%d events are replayed", n)
		}
		s.settle(sender)
		r.expect(t, "1 2")
		bad = ""
		s.clock.Advance(time.Hour)
		s.settle(sender)
		r.expect(t, "1 2 2 1 3")
	})
}

// Finished deliveries are deleted after the retention time, and a deleted subscription with all of its.
func TestClean(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, nil)
		remaining := s.subscribes(r.url, nil)
		failing := s.subscribes(listen(t, status(http.StatusBadRequest)).url, nil)
		deleted := s.subscribes(r.url, nil)
		clean := webhook.Clean(s.db, 24*time.Hour)
		sender := s.sender()
		for i := range 300 {
			s.happens(1, fmt.Sprintf("%d old", i))
		}
		s.settle(sender)
		s.clock.Advance(13 * time.Hour)
		s.happens(1, "new new")
		s.settle(sender)
		s.clock.Advance(12 * time.Hour)
		s.write(func(tx *db.Tx) error { return webhook.Delete(tx, 1, deleted.ID) })
		n, err := clean(t.Context())
		if err != nil || n != 601 {
			t.Errorf("%d rows, %v", n, err)
		}
		if states := s.states(remaining); states != "delivered 1" {
			t.Error("remaining: " + states)
		}
		if states := s.states(failing); states != "pending 301" {
			t.Error("failing: " + states)
		}
		if states := s.states(deleted); states != "" {
			t.Error("deleted: " + states)
		}
		const rows = `SELECT COUNT(*) FROM webhook_subscriptions WHERE subscription_id = $1`
		if got := s.text(rows, deleted); got != "0" {
			t.Errorf("%s rows of the deleted subscription", got)
		}
		if n, err := clean(t.Context()); n != 0 || err != nil {
			t.Errorf("again: %d rows, %v", n, err)
		}
	})
}

// Dead deliveries start again with all attempts: one of them, then all. Unfinished ones and those of another store are
// left alone.
func TestRetry(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		r := listen(t, status(http.StatusInternalServerError))
		made := s.subscribes(r.url, nil)
		s.happens(1, "a 1", "a 2", "b 3")
		sender := s.sender()
		retry := func(storeKey, eventID int64) (err error) {
			return s.db.Write(t.Context(), func(tx *db.Tx) error {
				d, err := webhook.Retry(tx, storeKey, made.ID, eventID)
				if err == nil && (d.State != webhook.Pending || d.Attempts != 0 || d.Finished()) {
					t.Errorf("the delivery is %+v", d)
				}
				return err
			})
		}
		s.settle(sender)
		if err := retry(1, 1); !errors.Is(err, webhook.ErrUnfinished) {
			t.Errorf("a delivery with attempts before it: %v", err)
		}
		for range 2 * delivery.Attempts { // "a 2" waits for the last attempt of "a 1"
			s.clock.Advance(30 * time.Hour)
			s.settle(sender)
			s.write(func(tx *db.Tx) error {
				_, _, err := webhook.Update(tx, 1, made.ID, webhook.Draft{URL: r.url, EventNames: []string{"*"}, Active: true})
				return err
			})
		}
		if states := s.states(made); states != "dead 3" {
			t.Fatal(states)
		}
		r.recover()
		called := len(r.got())
		if err := retry(1, 3); err != nil {
			t.Error(err)
		}
		s.settle(sender)
		if states := s.states(made); states != "delivered 1, dead 2" {
			t.Error(states)
		}
		for storeKey, eventID := range map[int64]int64{2: 1, 1: 99} {
			if err := retry(storeKey, eventID); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("event %d of store %d: %v", eventID, storeKey, err)
			}
		}
		s.write(func(tx *db.Tx) error {
			n, err := webhook.RetryDead(tx, 1, made.ID, 10)
			if n != 2 {
				t.Errorf("%d are retried", n)
			}
			return err
		})
		s.settle(sender)
		if states := s.states(made); states != "delivered 3" {
			t.Error(states)
		}
		if calls := r.got()[called:]; len(calls) != 3 || calls[1].name() != "1" || calls[2].name() != "2" {
			t.Errorf("%d calls: %s", len(calls), r.names())
		}
	})
}

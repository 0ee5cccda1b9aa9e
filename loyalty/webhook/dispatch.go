package webhook

import (
	"context"
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/outbound"
)

// dispatch starts calls that are due, up to the limits, and reports whether it started any.
// Subscriptions take turns, so that slow receivers do not delay the others.
func (s *Sender) dispatch(ctx, calls context.Context) (begun bool, err error) {
	var waiting []Subscription
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		waiting, err = subscriptionsDue(tx)
		return err
	})
	if err != nil {
		return false, err
	}
	next := slices.IndexFunc(waiting, func(w Subscription) bool { return w.ID > s.last })
	for i := range waiting {
		w := &waiting[(max(next, 0)+i)%len(waiting)]
		n, err := s.begin(ctx, calls, w)
		if err != nil {
			return begun, err
		}
		if n > 0 {
			begun, s.last = true, w.ID
		}
	}
	return begun, nil
}

// begin starts calls of one subscription and returns how many.
func (s *Sender) begin(ctx, calls context.Context, to *Subscription) (int, error) {
	free := s.free(to)
	if free <= 0 || s.resting(to.ID) {
		return 0, nil
	}
	// This must come before the database is read: a call that ends in between is then not started
	// again.
	calling := s.calling(to)
	var ready []Delivery
	events := map[int64]event.Event{}
	err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
		// Deliveries in progress are due too. SubscriptionCallLimit rows include another one for
		// each free call.
		if ready, err = due(tx, to, SubscriptionCallLimit); err != nil {
			return err
		}
		ready = slices.DeleteFunc(ready, func(d Delivery) bool { return slices.Contains(calling, d.EventID) })
		if ready = ready[:min(free, len(ready))]; len(ready) == 0 {
			return nil
		}
		ids := make([]int64, len(ready))
		for i := range ready {
			ids[i] = ready[i].EventID
		}
		found, err := event.Pick(tx, ids...)
		for _, e := range found {
			events[e.ID] = e
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	for i := range ready {
		s.start(&ready[i])
		s.running.Go(func() { s.deliver(calls, to, &ready[i], events[ready[i].EventID]) })
	}
	return len(ready), nil
}

// deliver makes one call and stores its outcome. If the event is missing, e.ID is 0.
func (s *Sender) deliver(ctx context.Context, to *Subscription, d *Delivery, e event.Event) {
	defer s.end(d)
	of, _, err := s.stores.ByKey(ctx, d.StoreKey)
	if err != nil {
		s.giveUp(to, err)
		return
	}
	o := outbound.Outcome{Problem: "the event is not stored"}
	if e.ID == d.EventID {
		o = s.call(ctx, to, d.id(), messageOf(of, &e))
	}
	if ctx.Err() != nil && !o.OK() {
		return // cancelled: it is still due
	}
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	var after *Subscription
	err = s.db.Write(storing, func(tx *db.Tx) (err error) {
		after, err = settle(tx, d, o)
		return err
	})
	switch {
	case err != nil:
		s.giveUp(to, err)
	case after != nil && !after.Active && to.Active:
		s.db.Log().Warn("web hook subscription disabled", "subscription", to.ID, "reason", after.DisabledReason)
	}
}

// giveUp pauses a subscription: if outcomes cannot be stored, its calls would be repeated without
// end.
func (s *Sender) giveUp(on *Subscription, err error) {
	s.db.Log().Warn("cannot store the outcome of a web hook; it will be sent again", "error", err)
	s.rest(on.ID)
}

// free returns how many more calls of a subscription may start.
func (s *Sender) free(of *Subscription) int {
	limit := SubscriptionCallLimit
	if !of.FailingSince.IsZero() {
		limit = 1
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return min(limit-s.busy[of.ID], CallLimit-len(s.calls))
}

// calling returns the ids of the events that are being sent to a subscription.
func (s *Sender) calling(to *Subscription) []int64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var events []int64
	for key := range s.calls {
		if key.subscriptionID == to.ID {
			events = append(events, key.eventID)
		}
	}
	return events
}

func (s *Sender) start(d *Delivery) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.calls[callKey{d.SubscriptionID, d.EventID}] = true
	s.busy[d.SubscriptionID]++
}

func (s *Sender) end(d *Delivery) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.calls, callKey{d.SubscriptionID, d.EventID})
	if s.busy[d.SubscriptionID]--; s.busy[d.SubscriptionID] == 0 {
		delete(s.busy, d.SubscriptionID)
	}
	s.nudge()
}

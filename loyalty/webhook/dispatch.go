package webhook

import (
	"context"
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/outbound"
)

// dispatch begins the calls that are due, as many as may run at once, and tells whether there were any. Subscriptions
// take turns, so that slow receivers hold up each other and not all.
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

// begin begins calls of one subscription and returns how many.
func (s *Sender) begin(ctx, calls context.Context, to *Subscription) (int, error) {
	free := s.free(to)
	if free <= 0 || s.resting(to.ID) {
		return 0, nil
	}
	// Asked before the database is: a call that ends meanwhile is not taken for one that was never made.
	calling := s.calling(to)
	var ready []Delivery
	events := map[int64]event.Event{}
	err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
		// Those on their way are due too: among so many, there is another for each call that is free.
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

// deliver makes one call and stores how it went. An event that is not stored has the id 0.
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
		return // broken off: it is still due
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
		s.db.Log().Warn("a web hook subscription was switched off", "subscription", to.ID, "reason", after.DisabledReason)
	}
}

// giveUp leaves a subscription alone for a while: without the database, calls would be made again and again.
func (s *Sender) giveUp(on *Subscription, err error) {
	s.db.Log().Warn("the outcome of a web hook is not stored; it is sent again", "error", err)
	s.rest(on.ID)
}

// free is how many more calls of a subscription may run.
func (s *Sender) free(of *Subscription) int {
	limit := SubscriptionCallLimit
	if !of.FailingSince.IsZero() {
		limit = 1
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return min(limit-s.busy[of.ID], CallLimit-len(s.calls))
}

// calling are the events that are on their way to a subscription.
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

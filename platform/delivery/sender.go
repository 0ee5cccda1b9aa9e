package delivery

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/outbound"
)

const (
	lookEvery    = time.Second          // for deliveries that other nodes inserted or that became due
	shortestRest = 5 * time.Millisecond // between rounds, so that the next one finds more
	longestRest  = time.Second          // otherwise the pause is as long as the round took
	failedRest   = 5 * time.Second      // after a round that failed
	drainLimit   = 2 * time.Second      // for calls in progress during shutdown
	storeLimit   = 10 * time.Second     // for storing an outcome, also during shutdown
)

// Sender makes the calls of a queue on one node.
type Sender[D any] struct {
	db    *db.DB
	queue Queue[D]
	wake  chan struct{}
	last  Receiver // that was served last

	mutex   sync.Mutex
	busy    map[Receiver]int // calls in progress
	calls   int              // their sum
	running sync.WaitGroup
}

// NewSender returns a sender. Run or Settle starts it.
func NewSender[D any](d *db.DB, q Queue[D]) *Sender[D] {
	return &Sender[D]{db: d, queue: q, wake: make(chan struct{}, 1), busy: map[Receiver]int{}}
}

// Wake starts a round soon, rather than within a second. It does not block.
func (s *Sender[D]) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // one is requested already
	}
}

// Run delivers until ctx ends. Calls in progress then have drainLimit to finish. Deliveries whose
// calls are interrupted are due again at once.
func (s *Sender[D]) Run(ctx context.Context) {
	calls, interrupt := context.WithCancel(context.WithoutCancel(ctx))
	defer interrupt()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		began := s.db.Now()
		served, more, err := s.round(ctx, calls)
		rest := min(max(s.db.Now().Sub(began), shortestRest), longestRest)
		if err != nil && ctx.Err() == nil {
			s.db.Log().Warn("cannot deliver", "queue", s.queue.Name, "error", err)
			rest = failedRest
		}
		if !more && err == nil {
			wake := s.wake
			if !served {
				wake = nil
			}
			select {
			case <-ctx.Done():
			case <-ticker.C:
			case <-wake:
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
	}
	drain := time.AfterFunc(drainLimit, interrupt)
	defer drain.Stop()
	s.running.Wait()
}

// Settle delivers until nothing more is due and no call is in progress. If ctx ends, calls in
// progress are interrupted.
func (s *Sender[D]) Settle(ctx context.Context) error {
	defer s.running.Wait()
	for {
		_, more, err := s.round(ctx, ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case more:
			continue
		case s.idle():
			select {
			case <-s.wake: // a call ended after the round looked
				continue
			default:
				return nil
			}
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
}

// round starts calls that are due, up to the limits. The calls last as long as their own context.
// served is false when this node has nothing to do with the queue, as Prepare says. more reports
// whether another round may find work at once. Receivers take turns, so that slow ones do not delay
// the others.
func (s *Sender[D]) round(ctx, calls context.Context) (served, more bool, err error) {
	if ctx.Err() != nil {
		return false, false, ctx.Err()
	}
	if s.queue.Prepare != nil {
		if served, more, err = s.queue.Prepare(ctx); err != nil || !served {
			return false, false, err
		}
	}
	due, err := s.queue.Due(ctx)
	if err != nil {
		return true, false, err
	}
	next := slices.IndexFunc(due, func(r Recipient[D]) bool { return r.compare(s.last) > 0 })
	for i := range due {
		to := &due[(max(next, 0)+i)%len(due)]
		begun, err := s.serve(ctx, calls, to)
		if err != nil || ctx.Err() != nil {
			return true, more, err
		}
		if begun {
			more, s.last = true, to.Receiver
		}
	}
	return true, more, nil
}

// serve claims deliveries to a receiver and starts their calls.
func (s *Sender[D]) serve(ctx, calls context.Context, to *Recipient[D]) (begun bool, err error) {
	free := s.free(to)
	if free <= 0 {
		return false, nil
	}
	var claimed []D
	err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
		claimed, err = s.queue.Table.Claim(tx, to.Receiver, free)
		return err
	})
	if err != nil {
		return false, err
	}
	for i := range claimed {
		s.begin(to.Receiver)
		s.running.Go(func() {
			defer s.end(to.Receiver)
			s.deliver(calls, to, &claimed[i])
		})
	}
	return len(claimed) > 0, nil
}

// deliver makes one attempt and stores its outcome.
func (s *Sender[D]) deliver(ctx context.Context, to *Recipient[D], d *D) {
	calling, span := s.db.Tracer().Delivery(ctx, s.queue.Name)
	o, err := to.Call(calling, d)
	span.EndDelivery(o.Status)
	interrupted := ctx.Err() != nil && o.Status == 0
	postponed, isPostponed := errors.AsType[*Postponed](err)
	if err == nil || interrupted || isPostponed {
		storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
		defer cancel()
		err = s.db.Write(storing, func(tx *db.Tx) error {
			switch {
			case isPostponed:
				return s.queue.Table.postpone(tx, d, postponed)
			case interrupted:
				return s.queue.Table.giveBack(tx, d, s.queue.CountInterrupted)
			}
			return s.settle(tx, d, o)
		})
	}
	if err != nil {
		s.db.Log().Warn("an attempt has no outcome; it is repeated when its claim expires",
			"queue", s.queue.Name, "error", err)
	}
}

func (s *Sender[D]) settle(tx *db.Tx, d *D, o outbound.Outcome) error {
	if s.queue.Settle != nil {
		return s.queue.Settle(tx, d, o)
	}
	_, _, err := s.queue.Table.Settle(tx, d, o)
	return err
}

// free returns how many more calls of a receiver may start.
func (s *Sender[D]) free(to *Recipient[D]) int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	busy := s.busy[to.Receiver]
	if busy == 0 && len(s.busy) >= s.queue.Receivers {
		return 0
	}
	return min(to.Calls-busy, s.queue.Calls-s.calls)
}

func (s *Sender[D]) idle() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.calls == 0
}

func (s *Sender[D]) begin(to Receiver) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.busy[to]++
	s.calls++
}

func (s *Sender[D]) end(to Receiver) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.calls--
	if s.busy[to]--; s.busy[to] == 0 {
		delete(s.busy, to)
	}
	s.Wake()
}

package webhook

import (
	"context"
	"sync"
	"time"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/job"
	"punchcard/platform/outbound"
)

// The pace of the deliveries of a node.
const (
	CallLimit             = 128 // calls at once
	SubscriptionCallLimit = 8   // of one subscription; one that fails has one call at a time

	lookEvery   = time.Second          // for what other nodes appended, and for what became due
	shortRest   = 5 * time.Millisecond // between two rounds, so that the next one finds more
	longestRest = time.Second          // else a rest is as long as the round took
	fullRest    = 10 * time.Second     // of a subscription that is full, or whose outcomes are not stored
	failedRest  = 5 * time.Second      // after a round that failed
	drainLimit  = 2 * time.Second      // for calls when the process stops
	storeLimit  = 10 * time.Second     // for an outcome, also while the process stops
)

// Sender turns events into deliveries and makes the calls, on the one node of many that has the lease. What it knows is
// in the database; a sender that starts anew goes on where the last one stopped, and repeats at most the calls whose
// outcome was not stored.
type Sender struct {
	db     *db.DB
	stores *store.Directory
	client *outbound.Client
	lease  *job.Lease
	wake   chan struct{}

	mutex   sync.Mutex
	calls   map[callKey]bool // on their way
	busy    map[string]int   // calls by subscription
	paused  map[string]time.Time
	last    string // the subscription that was served last
	running sync.WaitGroup
}

// callKey names a delivery; ids of subscriptions are unique over all stores.
type callKey struct {
	subscriptionID string
	eventID        int64
}

// NewSender makes a sender that works while it has the lease. Run starts it.
func NewSender(d *db.DB, stores *store.Directory, client *outbound.Client, lease *job.Lease) *Sender {
	s := &Sender{
		db: d, stores: stores, client: client, lease: lease, wake: make(chan struct{}, 1),
		calls: map[callKey]bool{}, busy: map[string]int{}, paused: map[string]time.Time{},
	}
	d.OnCommit(s.nudge)
	return s
}

func (s *Sender) nudge() {
	select {
	case s.wake <- struct{}{}:
	default: // nudged already
	}
}

// Run delivers until ctx ends. Calls that are on their way have drainLimit to end then; those that are broken off count
// as not made.
func (s *Sender) Run(ctx context.Context) {
	calls, breakOff := context.WithCancel(context.WithoutCancel(ctx))
	defer breakOff()
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for ctx.Err() == nil {
		began := s.db.Now()
		more, err := s.round(ctx, calls)
		rest := min(max(s.db.Now().Sub(began), shortRest), longestRest)
		if err != nil && ctx.Err() == nil {
			s.db.Log().Warn("web hooks are not delivered", "error", err)
			rest = failedRest
		}
		if !more && err == nil {
			select {
			case <-ctx.Done():
			case <-ticker.C:
			case <-s.wake:
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
	}
	drain := time.AfterFunc(drainLimit, breakOff)
	defer drain.Stop()
	s.running.Wait()
	if err := s.lease.Release(context.WithoutCancel(ctx)); err != nil {
		s.db.Log().Warn("the lease of the web hooks stays until it runs out", "error", err)
	}
}

// Settle delivers everything that is due, and returns when nothing is left to do now.
func (s *Sender) Settle(ctx context.Context) error {
	for {
		more, err := s.round(ctx, ctx)
		if err != nil || !more {
			return err
		}
		s.running.Wait()
	}
}

// round reads events and begins calls, which last as long as their own context; more tells that there may be more to do
// at once.
func (s *Sender) round(ctx, calls context.Context) (more bool, err error) {
	var subscriptions []Subscription
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		subscriptions, err = active(tx)
		return err
	})
	if err != nil || len(subscriptions) == 0 {
		return false, err
	}
	held, err := s.lease.Hold(ctx)
	if err != nil || !held {
		return false, err
	}
	if more, err = s.read(ctx, subscriptions); err != nil {
		return false, err
	}
	begun, err := s.dispatch(ctx, calls)
	return more || begun, err
}

// resting tells whether a subscription has to wait a while.
func (s *Sender) resting(subscriptionID string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	until, paused := s.paused[subscriptionID]
	if paused && !s.db.Now().Before(until) {
		delete(s.paused, subscriptionID)
		return false
	}
	return paused
}

func (s *Sender) rest(subscriptionID string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.paused[subscriptionID] = s.db.Now().Add(fullRest)
}

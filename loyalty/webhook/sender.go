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

// The limits and intervals of a node.
const (
	CallLimit             = 128 // concurrent calls
	SubscriptionCallLimit = 8   // of one subscription; 1 while it fails

	lookEvery   = time.Second          // for events of other nodes, and deliveries that became due
	shortRest   = 5 * time.Millisecond // minimum pause between rounds, so that the next one finds more
	longestRest = time.Second          // maximum pause; otherwise it is as long as the round took
	fullRest    = 10 * time.Second     // of a subscription at OpenLimit, or whose outcomes cannot be stored
	failedRest  = 5 * time.Second      // after a round that failed
	drainLimit  = 2 * time.Second      // for calls in progress during shutdown
	storeLimit  = 10 * time.Second     // for storing an outcome, also during shutdown
)

// Sender turns events into deliveries and makes the calls. It works on the one node that holds the
// lease. All its state is in the database: after a restart it continues where it stopped, and
// repeats at most the calls whose outcome was not stored.
type Sender struct {
	db     *db.DB
	stores *store.Directory
	client *outbound.Client
	lease  *job.Lease
	wake   chan struct{}

	mutex   sync.Mutex
	calls   map[callKey]bool // in progress
	busy    map[string]int   // number of calls in progress by subscription
	paused  map[string]time.Time
	last    string // id of the subscription served last
	running sync.WaitGroup
}

// callKey identifies a delivery. Subscription ids are unique across stores.
type callKey struct {
	subscriptionID string
	eventID        int64
}

// NewSender returns a sender that works while it holds the lease. Run starts it.
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
	default: // a wake-up is pending already
	}
}

// Run delivers until ctx ends. Calls in progress then have drainLimit to finish. Those that are
// cancelled do not count as attempts.
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
			s.db.Log().Warn("cannot deliver web hooks", "error", err)
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
		s.db.Log().Warn("cannot release the web hook lease; it lasts until it expires", "error", err)
	}
}

// Settle delivers everything that is due, and returns when nothing more is due.
func (s *Sender) Settle(ctx context.Context) error {
	for {
		more, err := s.round(ctx, ctx)
		if err != nil || !more {
			return err
		}
		s.running.Wait()
	}
}

// round reads events and starts calls, which last as long as their own context. more reports whether
// another round may find work at once.
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

// resting reports whether a subscription is paused.
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

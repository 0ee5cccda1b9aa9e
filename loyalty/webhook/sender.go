package webhook

import (
	"context"
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/outbound"
)

const (
	CallLimit             = 128 // maximum number of concurrent calls
	SubscriptionCallLimit = 8   // of one subscription; 1 while it fails

	fullRest = 10 * time.Second // until a subscription at OpenLimit is read again
)

// Sender turns events into deliveries and makes the calls. It works on the one node that holds the
// lease. All its state is in the database: after a restart it continues where it stopped.
type Sender struct {
	db     *db.DB
	stores *store.Directory
	client *outbound.Client
	lease  *job.Lease
	queue  *delivery.Sender[Delivery]
	full   map[string]time.Time // until when subscriptions at OpenLimit are not read, by id
}

// NewSender returns a sender that works while it holds the lease. Run starts it.
func NewSender(d *db.DB, stores *store.Directory, client *outbound.Client, lease *job.Lease) *Sender {
	s := &Sender{db: d, stores: stores, client: client, lease: lease, full: map[string]time.Time{}}
	s.queue = delivery.NewSender(d, delivery.Queue[Delivery]{
		Name: "web hooks", Table: deliveries, Calls: CallLimit, Receivers: CallLimit,
		Prepare: s.prepare, Due: s.due, Settle: s.settle,
	})
	d.OnCommit(s.queue.Wake)
	return s
}

// Run delivers until ctx ends. Calls in progress then have some seconds to finish. Those that are
// interrupted do not count as attempts.
func (s *Sender) Run(ctx context.Context) {
	s.queue.Run(ctx)
	if err := s.lease.Release(context.WithoutCancel(ctx)); err != nil {
		s.db.Log().Warn("cannot release the web hook lease; it lasts until it expires", "error", err)
	}
}

// Settle delivers everything that is due, and returns when nothing more is due.
func (s *Sender) Settle(ctx context.Context) error { return s.queue.Settle(ctx) }

// prepare turns events into deliveries, if this node holds the lease. Without active subscriptions
// it does not need the lease.
func (s *Sender) prepare(ctx context.Context) (serve, more bool, err error) {
	var subscriptions []Subscription
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		subscriptions, err = active(tx)
		return err
	})
	if err != nil || len(subscriptions) == 0 {
		return false, false, err
	}
	if serve, err = s.lease.Hold(ctx); err != nil || !serve {
		return false, false, err
	}
	more, err = s.read(ctx, subscriptions)
	return true, more, err
}

// due returns the active subscriptions that have a delivery due.
func (s *Sender) due(ctx context.Context) (to []delivery.Recipient[Delivery], err error) {
	var found []Subscription
	err = s.db.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = subscriptionsDue(tx)
		return err
	})
	for i := range found {
		subscription, calls := &found[i], SubscriptionCallLimit
		if !subscription.FailingSince.IsZero() {
			calls = 1
		}
		to = append(to, delivery.Recipient[Delivery]{
			Receiver: subscription.receiver(), Calls: calls,
			Call: func(ctx context.Context, d *Delivery) (outbound.Outcome, error) { return s.send(ctx, subscription, d) },
		})
	}
	return to, err
}

func (s *Subscription) receiver() delivery.Receiver {
	return delivery.Receiver{StoreKey: s.StoreKey, ID: s.ID}
}

// send makes an attempt of a delivery.
func (s *Sender) send(ctx context.Context, to *Subscription, d *Delivery) (o outbound.Outcome, err error) {
	of, _, err := s.stores.ByKey(ctx, d.StoreKey)
	if err != nil {
		return o, err
	}
	var body any
	var found, permitted bool
	err = store.Read(ctx, s.db, of, func(tx *db.Tx) (err error) {
		var personal bool
		if permitted, personal, err = to.reads(tx); err != nil || !permitted {
			return err
		}
		var e event.Event
		if e, found, err = event.ByNumber(tx, d.EventID); err != nil || !found {
			return err
		}
		body, err = to.body(tx, of, &e, personal)
		return err
	})
	switch {
	case err != nil:
		return o, err
	case !permitted:
		return outbound.Outcome{Problem: notPermitted}, nil
	case !found:
		return outbound.Outcome{Problem: "the event is not stored"}, nil
	}
	return s.call(ctx, to, d.id(), body), nil
}

func (s *Sender) settle(tx *db.Tx, d *Delivery, o outbound.Outcome) error {
	disabled, err := settleAttempt(tx, d, o)
	if disabled != "" {
		tx.AfterCommit(func() {
			s.db.Log().Warn("web hook subscription disabled", "subscription", d.SubscriptionID, "reason", disabled)
		})
	}
	return err
}

// isFull reports whether reading events for a subscription is paused.
func (s *Sender) isFull(subscriptionID string) bool {
	until, full := s.full[subscriptionID]
	if full && !s.db.Now().Before(until) {
		delete(s.full, subscriptionID)
		return false
	}
	return full
}

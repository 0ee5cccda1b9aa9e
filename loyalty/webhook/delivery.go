package webhook

import (
	"strconv"
	"time"

	"punchcard/platform/event"
	"punchcard/platform/outbound"
)

// The states of a delivery. Of the unfinished deliveries of one aggregate, the first is pending and
// the others wait.
const (
	Waiting   = "waiting" // for an earlier event of the same aggregate
	Pending   = "pending" // an attempt is due
	Delivered = "delivered"
	Dead      = "dead" // the last attempt failed
)

// States lists the states of deliveries, in the order in which a delivery goes through them.
var States = []string{Waiting, Pending, Delivered, Dead}

// Delivery is one event for one subscription.
type Delivery struct {
	StoreKey       int64
	SubscriptionID string
	EventID        int64
	AggregateID    string
	Type           string
	outbound.AttemptState
	FinishedAt time.Time // when it became delivered or dead
}

func newDelivery(s *Subscription, e *event.Event, now time.Time) Delivery {
	return Delivery{
		StoreKey: s.StoreKey, SubscriptionID: s.ID, EventID: e.ID, AggregateID: e.AggregateID, Type: e.Type,
		AttemptState: outbound.AttemptState{State: Waiting, CreatedAt: now},
	}
}

// id is the same for every attempt, and for every replay of the event to the subscription.
func (d *Delivery) id() string { return deliveryID(d.SubscriptionID, strconv.FormatInt(d.EventID, 10)) }

func deliveryID(subscriptionID, suffix string) string { return subscriptionID + "_" + suffix }

// attempted records the outcome of an attempt of a pending delivery.
func (d *Delivery) attempted(o outbound.Outcome, now time.Time) {
	d.Begin(now)
	switch last := d.End(o, now); {
	case o.OK():
		d.finish(Delivered, now)
	case last:
		d.finish(Dead, now)
	}
}

func (d *Delivery) finish(state string, now time.Time) {
	d.State, d.DueAt, d.FinishedAt = state, time.Time{}, now
}

func (d *Delivery) open() bool { return d.FinishedAt.IsZero() }

package webhook

import (
	"strconv"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/event"
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
	delivery.Progress
}

// deliveries are stored with one row for each event and subscription, so that a replay of the event
// starts the same delivery again.
var deliveries = &delivery.Table[Delivery]{
	Table: db.NewTable("webhook_deliveries", "store_id, subscription_id, event_id", func(d *Delivery) db.Row {
		return d.Row("store_id", &d.StoreKey, "subscription_id", &d.SubscriptionID, "event_id", &d.EventID,
			"aggregate_id", &d.AggregateID, "type", &d.Type)
	}),
	Progress: func(d *Delivery) *delivery.Progress { return &d.Progress },
	States:   States, Pending: Pending, Accepted: Delivered, Failed: Dead,
}

// CountPending counts the pending deliveries of all stores, up to delivery.CountLimit.
func CountPending(tx *db.Tx) (int64, error) { return deliveries.CountPending(tx) }

func newDelivery(s *Subscription, e *event.Event, now time.Time) Delivery {
	return Delivery{
		StoreKey: s.StoreKey, SubscriptionID: s.ID, EventID: e.ID, AggregateID: e.AggregateID, Type: e.Type,
		Progress: newProgress(now),
	}
}

func newProgress(now time.Time) delivery.Progress {
	return delivery.Progress{State: Waiting, CreatedAt: now}
}

// id is the same for every attempt, and for every replay of the event to the subscription.
func (d *Delivery) id() string { return deliveryID(d.SubscriptionID, strconv.FormatInt(d.EventID, 10)) }

func deliveryID(subscriptionID, suffix string) string { return subscriptionID + "_" + suffix }

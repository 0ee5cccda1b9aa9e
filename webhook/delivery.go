package webhook

import (
	"strconv"
	"time"

	"punchcard/platform/event"
	"punchcard/platform/outbound"
)

// The states of a delivery. Of the open ones of an aggregate, one is pending and the others wait.
const (
	Waiting   = "waiting" // for an earlier event of the same aggregate
	Pending   = "pending" // has an attempt before it
	Delivered = "delivered"
	Dead      = "dead" // the last attempt failed
)

// States are the states of deliveries, in the order of a delivery's life.
var States = []string{Waiting, Pending, Delivered, Dead}

// Delivery is one event for one subscription.
type Delivery struct {
	StoreKey       int64
	SubscriptionID string
	EventID        int64
	AggregateID    string
	Type           string
	State          string
	Attempts       int
	CreatedAt      time.Time
	DueAt          time.Time // of the next attempt, while pending
	AttemptedAt    time.Time // the last attempt
	Status         int       // of its answer, 0 when there was none
	Error          string    // of the last attempt, empty after a success
	FinishedAt     time.Time // when it was delivered or died
}

func newDelivery(s *Subscription, e *event.Event, now time.Time) Delivery {
	return Delivery{
		StoreKey: s.StoreKey, SubscriptionID: s.ID, EventID: e.ID, AggregateID: e.AggregateID, Type: e.Type,
		State: Waiting, CreatedAt: now,
	}
}

// id is the same for every attempt, and for every replay of the event to the subscription.
func (d *Delivery) id() string { return deliveryID(d.SubscriptionID, strconv.FormatInt(d.EventID, 10)) }

func deliveryID(subscriptionID, suffix string) string { return subscriptionID + "_" + suffix }

// outcome is how an attempt went.
type outcome struct {
	status     int // 0 when no answer came
	retryAfter time.Duration
	gone       bool    // the receiver wants no more calls
	problem    string  // empty when the receiver took the call
	random     float64 // spreads the next attempt
}

func (o outcome) delivered() bool { return o.problem == "" }

// attempted tells a pending delivery how its attempt went.
func (d *Delivery) attempted(o outcome, now time.Time) {
	d.Attempts++
	d.AttemptedAt, d.Status, d.Error = now, o.status, o.problem
	if o.delivered() {
		d.finish(Delivered, now)
		return
	}
	pause, again := outbound.Pause(d.Attempts, o.random, o.retryAfter)
	if !again {
		d.finish(Dead, now)
		return
	}
	d.DueAt = now.Add(pause)
}

func (d *Delivery) finish(state string, now time.Time) {
	d.State, d.DueAt, d.FinishedAt = state, time.Time{}, now
}

func (d *Delivery) open() bool { return d.FinishedAt.IsZero() }

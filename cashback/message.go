package cashback

import (
	"time"

	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// The states of a message to the provider.
const (
	Waiting = "waiting" // has an attempt before it
	Sent    = "sent"    // the provider has it
	// Unsent is the state of a message that the provider refused, or did not take at any attempt. That says nothing
	// about the money, which an answer that was lost may have moved: the points stay spent until a callback tells of
	// the payment, or somebody sends the message again.
	Unsent  = "failed"
	Settled = "settled" // a callback told how the payment ended before the provider took the message
)

// MessageStates are the states of messages, in the order of a message's life.
var MessageStates = []string{Waiting, Sent, Unsent, Settled}

// ErrNotFailed says that a message waits, or that the provider has it.
var ErrNotFailed = fault.New(fault.Refused, "Only a failed message can be sent again.")

// Message asks a payment provider to pay a cashback.
type Message struct {
	StoreKey    int64
	ID          string // the same at every attempt, so that the provider can drop repeats
	CustomerID  string
	CouponID    string
	Amount      decimal.Hundredths // money
	State       string
	Attempts    int
	CreatedAt   time.Time
	DueAt       time.Time // of the next attempt, while waiting
	AttemptedAt time.Time // the last attempt
	Status      int       // of its answer, 0 when there was none
	Error       string    // of the last attempt, empty after a success
}

// orderID names a cashback to the provider.
func orderID(customerID, couponID string) string { return customerID + "_" + couponID }

// attempt is how an attempt went.
type attempt struct {
	status     int // 0 when no answer came
	retryAfter time.Duration
	problem    string // empty when the provider took the message
	refused    bool   // it would not take the message later either
}

// attempted tells a waiting message how its attempt went.
func (m *Message) attempted(a attempt, now time.Time, random float64) {
	m.Status, m.Error, m.DueAt = a.status, a.problem, time.Time{}
	pause, again := outbound.Pause(m.Attempts, random, a.retryAfter)
	switch {
	case a.problem == "":
		m.State = Sent
	case !again || a.refused:
		m.State = Unsent
	default:
		m.DueAt = now.Add(pause)
	}
}

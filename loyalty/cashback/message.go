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
	StoreKey   int64
	ID         string // the same at every attempt, so that the provider can drop repeats
	CustomerID string
	CouponID   string
	Amount     decimal.Hundredths // money
	outbound.AttemptState
}

// orderID names a cashback to the provider.
func orderID(customerID, couponID string) string { return customerID + "_" + couponID }

// attempted tells a waiting message how its attempt went.
func (m *Message) attempted(o outbound.Outcome, now time.Time) {
	o.Hopeless = o.Refused
	switch last := m.End(o, now); {
	case o.OK():
		m.State = Sent
	case last:
		m.State = Unsent
	}
}

package cashback

import (
	"time"

	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// The states of a message to the provider.
const (
	Waiting = "waiting" // an attempt is due
	Sent    = "sent"    // the provider accepted it
	// Unsent is a message that the provider refused or did not accept at any attempt. The money may
	// have moved nevertheless, since a response can be lost. So the points stay spent until a
	// callback reports the payment or an administrator retries the message.
	Unsent  = "failed"
	Settled = "settled" // a callback reported the end of the payment first
)

// MessageStates lists the states of messages, in the order in which a message goes through them.
var MessageStates = []string{Waiting, Sent, Unsent, Settled}

// ErrNotFailed means that the message is still due or was accepted.
var ErrNotFailed = fault.New(fault.Refused, "message_not_failed", "Only a failed message can be sent again.")

// Message orders a payment provider to pay a cashback.
type Message struct {
	StoreKey   int64
	ID         string // the same at every attempt, so that the provider can ignore repeats
	CustomerID string
	CouponID   string
	Amount     decimal.Hundredths // money
	outbound.AttemptState
}

// orderID identifies a cashback towards the provider.
func orderID(customerID, couponID string) string { return customerID + "_" + couponID }

// attempted records the outcome of an attempt of a waiting message.
func (m *Message) attempted(o outbound.Outcome, now time.Time) {
	o.Hopeless = o.Refused
	switch last := m.End(o, now); {
	case o.OK():
		m.State = Sent
	case last:
		m.State = Unsent
	}
}

package cashback

import (
	"punchcard/platform/decimal"
	"punchcard/platform/delivery"
	"punchcard/platform/fault"
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
	Amount     decimal.Money // money
	delivery.Progress
}

var messageTable = &delivery.Table[Message]{
	Name:    "cashback_messages",
	Key:     []string{"store_id", "message_id"},
	Columns: []string{"customer_id", "coupon_id", "amount"},
	Fields: func(m *Message) []any {
		return []any{&m.StoreKey, &m.ID, &m.CustomerID, &m.CouponID, &m.Amount}
	},
	Progress: func(m *Message) *delivery.Progress { return &m.Progress },
	States:   MessageStates, Pending: Waiting, Accepted: Sent, Failed: Unsent,
}

// orderID identifies a cashback towards the provider.
func orderID(customerID, couponID string) string { return customerID + "_" + couponID }

package cashback

import (
	"punchcard/platform/db"
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
	Table: db.NewTable("cashback_messages", "store_id, message_id", func(m *Message) db.Row {
		return m.Row("store_id", &m.StoreKey, "message_id", &m.ID, "customer_id", &m.CustomerID,
			"coupon_id", &m.CouponID, "amount", &m.Amount)
	}),
	Progress: func(m *Message) *delivery.Progress { return &m.Progress },
	States:   MessageStates, Pending: Waiting, Accepted: Sent, Failed: Unsent,
}

// orderID identifies a cashback towards the provider.
func orderID(customerID, couponID string) string { return customerID + "_" + couponID }

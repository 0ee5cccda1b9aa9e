package message

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
)

// The channels of messages.
const (
	Email = "email"
	SMS   = "sms"
	Push  = "push"
)

// Channels lists the channels.
var Channels = []string{Email, SMS, Push}

// The states of a delivery.
const (
	Waiting = "waiting" // an attempt is due
	Sent    = "sent"    // the mail server or the gateway accepted it
	Dead    = "dead"    // it was refused, or given up after the last attempt
)

// States lists the states of deliveries, in the order in which a delivery goes through them.
var States = []string{Waiting, Sent, Dead}

// Delivery is a message on one channel. Its times are those of the server's clock, not of a sandbox
// store's.
type Delivery struct {
	StoreKey    int64
	Queue        string // the channel
	ID          string // the same for every attempt
	Event       string
	Role        string
	RecipientID string
	Address     string
	Language    string
	Values      map[string]string // erased when finished
	Subject     string            // as sent last, without secrets
	Content     string            // as sent last; kept by a demonstration only
	delivery.Progress
}

var table = &delivery.Table[Delivery]{
	Name: "messages",
	Key:  []string{"store_id", "queue", "message_id"},
	Columns: []string{
		"event", "role", "recipient_id", "address", "language", "details", "subject", "content",
	},
	Fields: func(d *Delivery) []any {
		return []any{
			&d.StoreKey, &d.Queue, &d.ID, &d.Event, &d.Role, &d.RecipientID, &d.Address, &d.Language,
			db.JSON(&d.Values), &d.Subject, &d.Content,
		}
	},
	Progress: func(d *Delivery) *delivery.Progress { return &d.Progress },
	States:   States, Pending: Waiting, Accepted: Sent, Failed: Dead,
}

// delivery returns the delivery of a message on a channel.
func (m *Message) delivery(tx *db.Tx, s *store.Store, channel, address string) *Delivery {
	now := tx.ServerNow()
	return &Delivery{
		StoreKey: s.Key, Queue: channel, ID: tx.NewID(), Event: m.Event, Role: string(m.Role),
		RecipientID: m.RecipientID, Address: address, Language: m.Language, Values: m.Values,
		Progress: delivery.Progress{State: Waiting, CreatedAt: now, DueAt: now},
	}
}

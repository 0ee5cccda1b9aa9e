package message

import (
	"maps"
	"strings"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
)

// channels lists the channels in the order in which they are shown. Messages in inboxes are notifications.
var channels = []string{template.Email, template.SMS, template.Push}

// marketingSuffix follows the channel in the names of the queues of marketing messages.
const marketingSuffix = "_marketing"

// browsers is the queue of push messages to browsers (web push). That of push is for the gateway.
const browsers = "browser"

// transports lists the queues of the channels, which marketing messages have again with their suffix.
var transports = []string{template.Email, template.SMS, template.Push, browsers}

// administrators is the queue of e-mails to administrators, which go through the server's own mail settings, whatever
// the settings of the store are.
const administrators = template.Email + "_administrators"

// The states of a delivery.
const (
	Waiting = "waiting" // an attempt is due
	Sent    = "sent"    // the mail server or the gateway accepted it
	Dropped = "dropped" // there was no reason to send it any more
	Dead    = "dead"    // it was refused, or given up after the last attempt
)

// States lists the states of deliveries, in the order in which a delivery goes through them.
var States = []string{Waiting, Sent, Dropped, Dead}

// Delivery is a message on one channel. Its times are those of the server's clock, not of a sandbox
// store's.
type Delivery struct {
	StoreKey    int64
	Queue       string // the transport, with a suffix of marketing messages
	ID          string // the same for every attempt
	Event       string
	Role        string
	RecipientID string
	Address     string
	Language    string
	Values      map[string]string // erased when sent
	Subject     string            // as sent last, without secrets
	Content     string            // as sent last; kept by a demonstration only
	MailingID   string            // of the mailing that it belongs to; empty for none
	Size        int               // notifications in a call of the gateway for them
	delivery.Progress

	dropped bool // by the attempt in progress
}

// channel returns the channel of the delivery, and whether it is a marketing message.
func (d *Delivery) channel() (channel string, marketing bool) {
	if d.toAdministrator() {
		return template.Email, false
	}
	return channelOf(d.Queue)
}

// channelOf returns the channel of a queue, and whether its messages are marketing.
func channelOf(queue string) (channel string, marketing bool) {
	channel, marketing = strings.CutSuffix(queue, marketingSuffix)
	if channel == browsers {
		channel = template.Push
	}
	return channel, marketing
}

// toBrowser reports whether the message goes to a browser, whose id is the address.
func (d *Delivery) toBrowser() bool { return strings.TrimSuffix(d.Queue, marketingSuffix) == browsers }

// toAdministrator reports whether the message goes through the server's own mail settings.
func (d *Delivery) toAdministrator() bool { return d.Queue == administrators }

// message returns the message of the delivery. Agreed is not set.
func (d *Delivery) message() *Message {
	m := &Message{
		Event: d.Event, Role: access.Role(d.Role), RecipientID: d.RecipientID, Language: d.Language,
		Values: maps.Clone(d.Values),
	}
	switch channel, _ := d.channel(); channel {
	case template.Email:
		m.Email = d.Address
	case template.SMS:
		m.Phone = d.Address
	}
	return m
}

var table = &delivery.Table[Delivery]{
	Table: db.NewTable("messages", "store_id, queue, message_id", func(d *Delivery) db.Row {
		return d.Row("store_id", &d.StoreKey, "queue", &d.Queue, "message_id", &d.ID, "event", &d.Event, "role", &d.Role,
			"recipient_id", &d.RecipientID, "address", &d.Address, "language", &d.Language, "details", db.JSON(&d.Values),
			"subject", &d.Subject, "content", &d.Content, "mailing_id", &d.MailingID, "size", &d.Size)
	}),
	Progress: func(d *Delivery) *delivery.Progress { return &d.Progress },
	States:   States, Pending: Waiting, Accepted: Sent, Failed: Dead,
}

// delivery returns the delivery of a message by a transport.
func (m *Message) delivery(tx *db.Tx, s *store.Store, event *template.Event, queue, address string) *Delivery {
	switch {
	case event.Administrators:
		queue = administrators
	case event.Marketing:
		queue += marketingSuffix
	}
	now := tx.ServerNow()
	return &Delivery{
		StoreKey: s.Key, Queue: queue, ID: tx.NewID(), Event: m.Event, Role: string(m.Role),
		RecipientID: m.RecipientID, Address: address, Language: m.Language, Values: m.Values, MailingID: m.MailingID,
		Progress: delivery.Progress{State: Waiting, CreatedAt: now, DueAt: now},
	}
}

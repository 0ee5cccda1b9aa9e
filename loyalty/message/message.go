// Package message sends messages to customers, sellers and administrators by e-mail, SMS and push:
// docs/behaviour/messages.md. Operations queue messages in the transaction of what they report. A
// background sender writes the text from the store's template and hands it over.
package message

import (
	"punchcard/api/access"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Message reports an event to somebody. It becomes one delivery for each channel.
type Message struct {
	Event       string            // such as oloy.customer.activation
	Role        access.Role       // of the recipient
	RecipientID string            // empty for somebody without an account
	Email       string            // empty: not by e-mail
	Phone       string            // empty: not by SMS
	Language    string            // empty: the default of the store
	Agreed      bool              // to marketing messages
	Values      map[string]string // of placeholders; never secrets
}

// Secrets makes the secret values of an event when its message is sent. The operation is committed
// before the message leaves, so that a token is valid when it arrives. Every attempt makes new
// secrets; former ones stay valid until they expire. The value of link is a path of a web app, which
// the sender completes by the public URL. ok is false if there is no reason for the message any more,
// such as for an activation of an active customer.
type Secrets func(tx *db.Tx, s *store.Store, m *Message) (values map[string]string, ok bool, err error)

// Queue queues messages, in the transaction of what they report: one delivery for each channel that
// has an address. Messages to administrators belong to the default store.
func Queue(tx *db.Tx, s *store.Store, all ...Message) error {
	var rows [][]any
	for i := range all {
		m := &all[i]
		for _, channel := range Channels {
			if address := m.address(channel); address != "" {
				rows = append(rows, table.Row(m.delivery(tx, s, channel, address)))
			}
		}
	}
	return tx.Insert("messages", table.AllColumns(), "", rows...)
}

// address returns where the message goes on a channel, or an empty text.
func (m *Message) address(channel string) string {
	switch {
	case channel == Email:
		return m.Email
	case channel == SMS:
		return m.Phone
	case m.Role == access.Customer:
		return m.RecipientID
	}
	return ""
}

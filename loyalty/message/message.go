// Package message sends messages to customers, sellers and administrators by e-mail, SMS and push:
// docs/behaviour/messages.md. Operations queue messages in the transaction of what they report. A
// background sender writes the text from the store's template and hands it over.
package message

import (
	"fmt"
	"slices"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// Message reports an event to somebody. It becomes one delivery for each channel, and by push one for
// each browser.
type Message struct {
	Event       string            // the name of one of template.Events
	Role        access.Role       // of the recipient
	RecipientID string            // empty for somebody without an account
	Email       string            // empty: not by e-mail
	Phone       string            // empty: not by SMS
	Language    string            // empty: the default of the store
	Agreed      bool              // to marketing messages
	Values      map[string]string // of placeholders; never secrets

	Channels  []string // on which it may go out; nil means all
	MailingID string   // of the mailing that it belongs to; empty for none

	unconfirmed bool // nobody has shown yet that the address is the recipient's
}

// Secrets makes the secret values of an event when its message is sent. The operation is committed
// before the message leaves, so that a token is valid when it arrives. Every attempt makes new
// secrets; former ones stay valid until they expire. The value of link is a path of a web app, which
// the sender completes by the public URL. Of Email and Phone, m has only the one that the message goes to. ok is
// false if there is no reason for the message any more, such as for an activation of an active customer.
type Secrets func(tx *db.Tx, s *store.Store, m *Message) (values map[string]string, ok bool, err error)

// Queue queues messages, in the transaction of what they report: one delivery for each channel that has an address
// and a template that is switched on, as far as the store uses it. Marketing messages are for those only who agreed to
// them and did not delete their account.
func Queue(tx *db.Tx, s *store.Store, all ...Message) error {
	deliveries, err := plan(tx, s, all)
	if err != nil {
		return err
	}
	rows := make([]*Delivery, len(deliveries))
	for i, p := range deliveries {
		rows[i] = p.of.delivery(tx, s, p.event, p.queue, p.address)
	}
	return table.Insert(tx, rows...)
}

// planned is a delivery that Queue makes of a message.
type planned struct {
	of             *Message
	event          *template.Event
	queue, address string
}

// plan returns the deliveries that messages need.
func plan(tx *db.Tx, s *store.Store, all []Message) (deliveries []planned, err error) {
	if len(all) == 0 {
		return nil, nil
	}
	settings, err := settingsOf(tx, s.Key)
	if err != nil {
		return nil, err
	}
	texts, err := template.Load(tx, s)
	if err != nil {
		return nil, err
	}
	subscribed, err := browsersOf(tx, s, settings, all)
	if err != nil {
		return nil, err
	}
	leaving, err := erasure.Planned(tx, s.Key, marketed(all)...)
	if err != nil {
		return nil, err
	}
	for i := range all {
		m := &all[i]
		event := template.Find(m.Event)
		if event == nil {
			return nil, fmt.Errorf("no event %q", m.Event)
		}
		if m.Role == access.Administrator && !event.Administrators {
			return nil, fmt.Errorf("event %q is not for administrators", m.Event)
		}
		if event.Marketing && (!m.Agreed || leaving[m.RecipientID]) {
			continue
		}
		for _, channel := range event.Channels {
			if m.Channels != nil && !slices.Contains(m.Channels, channel) {
				continue
			}
			if _, on := texts.Render(m.Event, channel, m.Language, nil); !on {
				continue
			}
			if address := m.address(channel); address != "" && settings.takes(m, event, channel) {
				deliveries = append(deliveries, planned{m, event, channel, address})
			}
			if channel == template.Push && m.Role == access.Customer && settings.takes(m, event, browsers) {
				for _, id := range subscribed[m.RecipientID] {
					deliveries = append(deliveries, planned{m, event, browsers, id})
				}
			}
		}
	}
	return deliveries, nil
}

// marketed returns the distinct recipients of marketing among messages.
func marketed(all []Message) (ids []string) {
	for i := range all {
		if e := template.Find(all[i].Event); e != nil && e.Marketing {
			ids = append(ids, all[i].RecipientID)
		}
	}
	return db.Distinct(ids)
}

// address returns where the message goes on a channel, or an empty text.
func (m *Message) address(channel string) string {
	switch channel {
	case template.Email:
		return m.Email
	case template.SMS:
		return m.Phone
	case template.Push:
		if m.Role == access.Customer {
			return m.RecipientID
		}
	}
	return ""
}

package notification

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// channel hands notifications over, in the transaction that makes them. What is slow or calls other
// servers is only queued.
type channel func(tx *db.Tx, storeKey int64, all []Notification) error

// channels lists the ways in which a notification reaches a customer in the app, by the channel of its text. Each gets
// the notifications whose text is switched on, and knows itself whether the store uses it.
var channels = []struct {
	name string
	hand channel
}{{template.Inbox, toInboxes}, {template.Push, toGateway}}

// post hands notifications to all channels, and queues the e-mails and SMS. Their customers must be locked.
func post(tx *db.Tx, s *store.Store, all []Notification) error {
	if len(all) == 0 {
		return nil
	}
	for i := range all {
		n := &all[i]
		n.StoreKey, n.ID, n.CreatedAt = s.Key, tx.NewID(), tx.Now()
	}
	templates, err := template.Load(tx, s)
	if err != nil {
		return err
	}
	for _, c := range channels {
		on := slices.DeleteFunc(slices.Clone(all), func(n Notification) bool {
			return !templates.Enabled(kindOf(&n).event, c.name)
		})
		if len(on) == 0 {
			continue
		}
		if err := c.hand(tx, s.Key, on); err != nil {
			return err
		}
	}
	return toContacts(tx, s, templates, all)
}

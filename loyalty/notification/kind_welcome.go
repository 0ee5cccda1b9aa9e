package notification

import (
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// welcome greets a customer who registered. It is in the inbox only: messages about registrations use the other
// channels.
var welcome = &kind{
	name:   "welcome",
	event:  template.CustomerRegistered,
	values: func(*Notification) map[string]string { return map[string]string{} },
	show:   func(*Notification, *view) {},
}

// Welcome adds a welcome to the inboxes of customers, in the transaction that registers them.
func Welcome(tx *db.Tx, s *store.Store, customerIDs ...string) error {
	templates, err := template.Load(tx, s)
	if err != nil || !templates.Enabled(welcome.event, template.Inbox) {
		return err
	}
	all := make([]Notification, len(customerIDs))
	for i, id := range customerIDs {
		all[i] = Notification{StoreKey: s.Key, CustomerID: id, ID: tx.NewID(), Kind: welcome.name, CreatedAt: tx.Now()}
	}
	return toInboxes(tx, s.Key, all)
}

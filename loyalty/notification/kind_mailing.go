package notification

import (
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// mailing is a message that the store wrote to many customers.
var mailing = &kind{
	name:  "mailing",
	event: template.Mailing,
	values: func(n *Notification) map[string]string {
		return map[string]string{"mailing_subject": n.Details.Name, "mailing_short": n.Details.Text}
	},
	show: func(n *Notification, v *view) { v.Link = n.Details.Link },
}

// Mailing is the part of a mailing that the inbox of a customer shows.
type Mailing struct {
	CustomerID     string
	MailingID      string
	Subject, Short string
	Link           string // that the customer follows; empty for none
}

// DeliverMailing adds the texts of a mailing to the inboxes of customers, who must be locked.
func DeliverMailing(tx *db.Tx, s *store.Store, all ...Mailing) error {
	if len(all) == 0 {
		return nil
	}
	notifications := make([]Notification, len(all))
	for i, m := range all {
		notifications[i] = Notification{
			StoreKey: s.Key, CustomerID: m.CustomerID, ID: tx.NewID(), Kind: mailing.name, SubjectID: m.MailingID,
			Details: Details{Name: m.Subject, Text: m.Short, Link: m.Link}, CreatedAt: tx.Now(),
		}
	}
	return toInboxes(tx, s.Key, notifications)
}

package notification

import (
	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Timeline returns at most limit notifications of a customer before the one with the id, or the newest ones.
func Timeline(tx *db.Tx, s *store.Store, locale api.Locale, customerID, before string, limit int) (
	[]customer.TimelineEntry, error) {
	q := db.NewSQL(`SELECT `+columns+` FROM notifications WHERE store_id = ? AND customer_id = ?`, s.Key, customerID)
	if before != "" {
		q.And(`notification_id < ?`, before)
	}
	q.Add(` ORDER BY notification_id DESC LIMIT ?`, limit)
	found, err := db.All(tx, (*Notification).row, q.Text(), q.Args()...)
	if err != nil {
		return nil, err
	}
	t, err := textsOf(tx, s, template.Inbox, locale, found)
	if err != nil {
		return nil, err
	}
	entries := make([]customer.TimelineEntry, len(found))
	for i := range found {
		n := &found[i]
		entries[i] = customer.TimelineEntry{ID: n.ID, At: n.CreatedAt, View: newView(s, t, n), Older: n.ID}
	}
	return entries, nil
}

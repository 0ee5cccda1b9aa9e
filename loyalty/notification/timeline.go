package notification

import (
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
)

// timeline returns at most limit notifications of a customer before the one with the id, or the newest ones.
func timeline(r *feature.TimelineReader, before string, limit int) ([]feature.TimelineEntry, error) {
	q := db.NewSQL(`SELECT * FROM notifications WHERE store_id = ? AND customer_id = ?`, r.Store.Key,
		r.CustomerID)
	if before != "" {
		q.And(`notification_id < ?`, before)
	}
	q.Add(` ORDER BY notification_id DESC LIMIT ?`, limit)
	found, err := table.All(r.Tx, q.Text(), q.Args()...)
	if err != nil {
		return nil, err
	}
	t, err := textsOf(r.Tx, r.Store, template.Inbox, api.Locale{Default: "en", Wanted: "en"}, found)
	if err != nil {
		return nil, err
	}
	entries := make([]feature.TimelineEntry, len(found))
	for i := range found {
		n := &found[i]
		entries[i] = feature.TimelineEntry{ID: n.ID, At: n.CreatedAt, View: newView(r.Store, t, n), Older: n.ID}
	}
	return entries, nil
}

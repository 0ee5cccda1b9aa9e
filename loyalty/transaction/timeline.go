package transaction

import (
	"punchcard/core/feature"
	"punchcard/platform/db"
)

// timeline returns at most limit transactions of a customer before the one with the id, or the newest ones. They stand
// at the time of their registration.
func timeline(r *feature.TimelineReader, before string, limit int) ([]feature.TimelineEntry, error) {
	q := db.NewSQL(`SELECT * FROM transactions
		WHERE store_id = ? AND customer_id = ? AND customer_id <> ''`, r.Store.Key, r.CustomerID)
	if before != "" {
		q.And(`transaction_id < ?`, before)
	}
	q.Add(` ORDER BY transaction_id DESC LIMIT ?`, limit)
	found, err := table.All(r.Tx, "?", q)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	views, err := viewsOf(r.Tx, r.Store, found)
	entries := make([]feature.TimelineEntry, len(views))
	for i := range views {
		id := found[i].ID
		entries[i] = feature.TimelineEntry{ID: id, At: found[i].RegisteredAt, View: views[i], Older: id}
	}
	return entries, err
}

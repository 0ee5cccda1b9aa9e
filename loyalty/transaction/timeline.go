package transaction

import (
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// Timeline returns at most limit transactions of a customer before the one with the id, or the newest ones. They stand
// at the time of their registration.
func Timeline(tx *db.Tx, s *store.Store, customerID, before string, limit int) ([]customer.TimelineEntry, error) {
	q := db.NewSQL(`SELECT `+columns+` FROM transactions
		WHERE store_id = ? AND customer_id = ? AND customer_id <> ''`, s.Key, customerID)
	if before != "" {
		q.And(`transaction_id < ?`, before)
	}
	q.Add(` ORDER BY transaction_id DESC LIMIT ?`, limit)
	found, err := db.All(tx, (*Transaction).row, q.Text(), q.Args()...)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	views, err := viewsOf(tx, s, found)
	entries := make([]customer.TimelineEntry, len(views))
	for i := range views {
		id := found[i].ID
		entries[i] = customer.TimelineEntry{ID: id, At: found[i].RegisteredAt, View: views[i], Older: id}
	}
	return entries, err
}

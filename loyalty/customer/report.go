package customer

import (
	"time"

	"punchcard/platform/db"
)

// Joined is the time at which a customer was registered.
type Joined struct {
	ID string
	At time.Time
}

// ActiveAfter returns the ids of active customers of a store that follow one, of one level unless that is empty.
func ActiveAfter(tx *db.Tx, storeKey int64, levelID, after string, limit int) ([]string, error) {
	q := db.NewSQL(`SELECT customer_id FROM customers WHERE store_id = ? AND customer_id > ?`, storeKey, after)
	if levelID != "" {
		q.And(`level_id = ?`, levelID)
	}
	q.And(`status = 'active'`).Add(` ORDER BY customer_id LIMIT ?`, limit)
	return db.AllValues[string](tx, q.Text(), q.Args()...)
}

var joinedView = db.NewView(table, func(j *Joined) db.Row {
	return db.Row{"customer_id", &j.ID, "created_at", db.Time(&j.At)}
})

// JoinedAfter returns customers of a store that follow one in the order of ids, without deleted ones.
func JoinedAfter(tx *db.Tx, storeKey int64, after string, limit int) ([]Joined, error) {
	return joinedView.All(tx,
		`SELECT customer_id, created_at FROM customers
		WHERE store_id = ? AND customer_id > ? AND status <> 'deleted' ORDER BY customer_id LIMIT ?`,
		storeKey, after, limit)
}

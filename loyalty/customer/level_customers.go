package customer

import (
	"time"

	"punchcard/platform/db"
)

// MembersOf lists ids of the customers of a level that follow an id.
func MembersOf(tx *db.Tx, storeKey int64, levelID, after string, limit int) ([]string, error) {
	return db.All(tx, func(id *string) []any { return []any{id} }, `SELECT customer_id FROM customers
		WHERE store_id = $1 AND level_id = $2 AND customer_id > $3 ORDER BY customer_id LIMIT $4`,
		storeKey, levelID, after, limit)
}

// MembersAfter lists customers of a level in the order of their ids, from the one that follows an id.
func MembersAfter(tx *db.Tx, storeKey int64, levelID, after string, limit int) ([]Customer, error) {
	return db.All(tx, (*Customer).row, `SELECT `+columns+` FROM customers
		WHERE store_id = $1 AND level_id = $2 AND customer_id > $3 ORDER BY customer_id LIMIT $4`,
		storeKey, levelID, after, limit)
}

// DueForCheck lists the ids of active customers who were last recalculated at the given moment or before,
// longest ago first.
func DueForCheck(tx *db.Tx, storeKey int64, since time.Time, limit int) ([]string, error) {
	return db.All(tx, func(id *string) []any { return []any{id} }, `SELECT customer_id FROM customers
		WHERE store_id = $1 AND status = 'active' AND COALESCE(level_recalculated_at, created_at) <= $2
		ORDER BY COALESCE(level_recalculated_at, created_at) LIMIT $3`, storeKey, since.UnixMicro(), limit)
}

// LevelsOf returns the query of the levels of all customers of a store, also of deleted ones: customer_id and level_id.
func LevelsOf(storeKey int64) *db.SQL {
	return db.NewSQL(`SELECT customer_id, level_id FROM customers WHERE store_id = ?`, storeKey)
}

package customer

import (
	"time"

	"punchcard/platform/db"
)

// MembersOf lists ids of the customers of a level that follow an id.
func MembersOf(tx *db.Tx, storeKey int64, levelID, after string, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT customer_id FROM customers
		WHERE store_id = ? AND level_id = ? AND customer_id > ? ORDER BY customer_id LIMIT ?`,
		storeKey, levelID, after, limit)
}

// MembersAfter lists customers of a level in the order of their ids, from the one that follows an id.
func MembersAfter(tx *db.Tx, storeKey int64, levelID, after string, limit int) ([]Customer, error) {
	return table.All(tx, `SELECT * FROM customers
		WHERE store_id = ? AND level_id = ? AND customer_id > ? ORDER BY customer_id LIMIT ?`,
		storeKey, levelID, after, limit)
}

// DueForCheck lists the ids of active customers who were last recalculated at the given moment or before,
// longest ago first.
func DueForCheck(tx *db.Tx, storeKey int64, since time.Time, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT customer_id FROM customers
		WHERE store_id = ? AND status = 'active' AND COALESCE(level_recalculated_at, created_at) <= ?
		ORDER BY COALESCE(level_recalculated_at, created_at) LIMIT ?`, storeKey, since.UnixMicro(), limit)
}

// LevelsOf returns the query of the levels of all customers of a store: customer_id, level_id, and gone, which is true
// for those who were deleted or erased.
func LevelsOf(storeKey int64) *db.SQL {
	return db.NewSQL(`SELECT customer_id, level_id, `+isGone+` AS gone FROM customers WHERE store_id = ?`, storeKey)
}

// isGone is the condition that nobody can use the account of a customer any more.
const isGone = `(status = 'deleted' OR anonymized_at IS NOT NULL)`

// Present returns the condition that the customer of a row of another table is neither deleted nor erased. The row is
// named by its alias.
func Present(alias string) string {
	return `EXISTS (SELECT 1 FROM customers present WHERE present.store_id = ` + alias + `.store_id
		AND present.customer_id = ` + alias + `.customer_id AND present.status <> 'deleted'
		AND present.anonymized_at IS NULL)`
}

// GoneAfter lists the ids of customers who were deleted or erased, without merged ones, after one, in their order.
func GoneAfter(tx *db.Tx, storeKey int64, after string, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT customer_id FROM customers
		WHERE store_id = ? AND customer_id > ? AND `+isGone+` AND merged_into = '' ORDER BY customer_id LIMIT ?`,
		storeKey, after, limit)
}

// AreGone reports, by id, which of distinct customers were deleted or erased.
func AreGone(tx *db.Tx, storeKey int64, ids ...string) (map[string]bool, error) {
	gone := map[string]bool{}
	return gone, table.Each(tx, func(c Customer) { gone[c.ID] = true },
		`SELECT customer_id FROM ? AS v (store, id)
			CROSS JOIN customers c WHERE c.store_id = v.store AND c.customer_id = v.id
		AND `+isGone, tx.Among(storeKey, ids...))
}

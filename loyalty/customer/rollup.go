package customer

import (
	"time"

	"punchcard/loyalty/rollup"
	"punchcard/platform/db"
)

// countIn adds the customer to the day of their registration. Deleted ones count nowhere.
func (c *Customer) countIn(add rollup.Adder) {
	if c.Status != Deleted {
		add(c.CreatedAt, rollup.Customers, 1)
	}
}

// RollUp counts all customers of a store as the sums count them.
func RollUp(tx *db.Tx, storeKey int64, add rollup.Adder) error {
	return table.Each(tx, func(c Customer) { c.countIn(add) },
		`SELECT status, created_at FROM customers WHERE store_id = ?`, storeKey)
}

// CountCreated returns the number of customers who registered in a span of time. It reads one row of an index for each.
func CountCreated(tx *db.Tx, storeKey int64, from, before time.Time) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM customers WHERE store_id = ? AND created_at >= ?
		AND created_at < ? AND status <> 'deleted'`, storeKey, from.UnixMicro(), before.UnixMicro())
}

// WaitingLimit is up to how many customers CountNew counts.
const WaitingLimit = 10_000

// CountNew counts the customers of a store who wait for activation, up to WaitingLimit.
func CountNew(tx *db.Tx, storeKey int64) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM customers
		WHERE store_id = ? AND status = 'new' LIMIT ?) AS listed`, storeKey, WaitingLimit)
}

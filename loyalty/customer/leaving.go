package customer

import (
	"time"

	"punchcard/platform/db"
)

// Customers who deleted their account leave, until it is erased or they come back by signing in.

// Leave records that the account of a locked customer is to be erased at a time.
func (c *Customer) Leave(tx *db.Tx, at time.Time) error {
	return leavingTable.Put(tx, &leaving{c.StoreKey, c.ID, at})
}

type leaving struct {
	storeKey   int64
	customerID string
	dueAt      time.Time
}

var leavingTable = db.NewTable("leaving_customers", "store_id, customer_id", func(l *leaving) db.Row {
	return db.Row{"store_id", &l.storeKey, "customer_id", &l.customerID, "due_at", db.Time(&l.dueAt)}
})

// ComeBack keeps the account of a customer who signed in after they deleted it.
func ComeBack(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM leaving_customers WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

// LeavesAt returns when the account of a customer is erased because they deleted it; zero if they did not.
func LeavesAt(tx *db.Tx, storeKey int64, customerID string) (time.Time, error) {
	l, _, err := leavingTable.One(tx,
		`SELECT due_at FROM leaving_customers WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return l.dueAt, err
}

// Leaving returns those of distinct customers who deleted their account: no marketing is for them.
func Leaving(tx *db.Tx, storeKey int64, ids ...string) (map[string]bool, error) {
	found := map[string]bool{}
	if len(ids) == 0 {
		return found, nil
	}
	return found, leavingTable.Each(tx, func(l leaving) { found[l.customerID] = true },
		`SELECT l.customer_id FROM ? AS v (store, id) CROSS JOIN leaving_customers l
		WHERE l.store_id = v.store AND l.customer_id = v.id`, tx.Among(storeKey, ids...))
}

// Left returns at most limit customers whose accounts are to be erased now.
func Left(tx *db.Tx, storeKey int64, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT customer_id FROM leaving_customers
		WHERE store_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?`, storeKey, tx.Now().UnixMicro(), limit)
}

// TakeLeft removes a customer whose account is to be erased now. It returns false if they came back meanwhile.
func TakeLeft(tx *db.Tx, storeKey int64, id string) (bool, error) {
	n, err := tx.Exec(`DELETE FROM leaving_customers WHERE store_id = ? AND customer_id = ? AND due_at <= ?`,
		storeKey, id, tx.Now().UnixMicro())
	return n == 1, err
}

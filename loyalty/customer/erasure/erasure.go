// Package erasure keeps when the accounts that customers deleted are erased, unless they come back by signing in.
package erasure

import (
	"time"

	"punchcard/platform/db"
)

// Plan records that the account of a locked customer is to be erased at a time.
func Plan(tx *db.Tx, storeKey int64, customerID string, at time.Time) error {
	return table.Put(tx, &account{storeKey, customerID, at})
}

type account struct {
	storeKey   int64
	customerID string
	dueAt      time.Time
}

var table = db.NewTable("leaving_customers", "store_id, customer_id", func(l *account) db.Row {
	return db.Row{"store_id", &l.storeKey, "customer_id", &l.customerID, "due_at", db.Time(&l.dueAt)}
})

// Cancel keeps the account of a customer who signed in after they deleted it.
func Cancel(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM leaving_customers WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

// At returns when the account of a customer is erased because they deleted it; zero if they did not.
func At(tx *db.Tx, storeKey int64, customerID string) (time.Time, error) {
	l, _, err := table.One(tx,
		`SELECT due_at FROM leaving_customers WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return l.dueAt, err
}

// Planned returns those of distinct customers who deleted their account: no marketing is for them.
func Planned(tx *db.Tx, storeKey int64, ids ...string) (map[string]bool, error) {
	found := map[string]bool{}
	if len(ids) == 0 {
		return found, nil
	}
	return found, table.Each(tx, func(l account) { found[l.customerID] = true },
		`SELECT l.customer_id FROM ? AS v (store, id) CROSS JOIN leaving_customers l
		WHERE l.store_id = v.store AND l.customer_id = v.id`, tx.Among(storeKey, ids...))
}

// Due returns at most limit customers whose accounts are to be erased now.
func Due(tx *db.Tx, storeKey int64, limit int) ([]string, error) {
	return db.AllValues[string](tx, `SELECT customer_id FROM leaving_customers
		WHERE store_id = ? AND due_at <= ? ORDER BY due_at LIMIT ?`, storeKey, tx.Now().UnixMicro(), limit)
}

// Take removes a customer whose account is to be erased now. It returns false if they came back meanwhile.
func Take(tx *db.Tx, storeKey int64, id string) (bool, error) {
	n, err := tx.Exec(`DELETE FROM leaving_customers WHERE store_id = ? AND customer_id = ? AND due_at <= ?`,
		storeKey, id, tx.Now().UnixMicro())
	return n == 1, err
}

package customer

import "punchcard/platform/db"

// Arrival records that new campaigns may be available to a customer, because they registered, were activated,
// or entered a level or a segment. Campaigns are announced to them from these records.
type Arrival struct{ ID, CustomerID string }

// RecordArrivals records arrivals of customers, in the transaction that causes them.
func RecordArrivals(tx *db.Tx, storeKey int64, customerIDs ...string) error {
	rows := make([][]any, len(customerIDs))
	for i, id := range customerIDs {
		rows[i] = []any{storeKey, tx.NewID(), id}
	}
	return tx.Insert("customer_arrivals", "store_id, arrival_id, customer_id", "", rows...)
}

// Arrivals lists pending arrivals, roughly oldest first. Read the customers after them, so that their state
// is at least as new.
func Arrivals(tx *db.Tx, storeKey int64, limit int) ([]Arrival, error) {
	return db.All(tx, func(a *Arrival) []any { return []any{&a.ID, &a.CustomerID} },
		`SELECT arrival_id, customer_id FROM customer_arrivals WHERE store_id = $1 ORDER BY arrival_id LIMIT $2`,
		storeKey, limit)
}

// DeleteArrivals deletes arrivals that have been processed.
func DeleteArrivals(tx *db.Tx, storeKey int64, arrivals []Arrival) error {
	rows := make([][]any, len(arrivals))
	for i := range arrivals {
		rows[i] = []any{storeKey, arrivals[i].ID}
	}
	return tx.Delete("customer_arrivals",
		[]db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "arrival_id", Type: "TEXT"}}, rows...)
}

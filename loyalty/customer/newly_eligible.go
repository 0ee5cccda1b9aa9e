package customer

import "punchcard/platform/db"

// Arrival says that more may be meant for a customer than a moment ago: he registered, became active, or entered a
// level or a segment.
type Arrival struct{ ID, CustomerID string }

// RecordArrivals notes, in the transaction that lets them arrive, that customers arrived.
func RecordArrivals(tx *db.Tx, storeKey int64, customerIDs ...string) error {
	rows := make([][]any, len(customerIDs))
	for i, id := range customerIDs {
		rows[i] = []any{storeKey, tx.NewID(), id}
	}
	return tx.Insert("customer_arrivals", "store_id, arrival_id, customer_id", "", rows...)
}

// Arrivals lists some arrivals that nobody received yet, in about their order. The customers are read after them.
func Arrivals(tx *db.Tx, storeKey int64, limit int) ([]Arrival, error) {
	return db.All(tx, func(a *Arrival) []any { return []any{&a.ID, &a.CustomerID} },
		`SELECT arrival_id, customer_id FROM customer_arrivals WHERE store_id = $1 ORDER BY arrival_id LIMIT $2`,
		storeKey, limit)
}

// DeleteArrivals takes arrivals out that something was made of.
func DeleteArrivals(tx *db.Tx, storeKey int64, arrivals []Arrival) error {
	ids := make([]string, len(arrivals))
	for i := range arrivals {
		ids[i] = arrivals[i].ID
	}
	list, args := db.In([]any{storeKey}, ids...)
	_, err := tx.Exec(`DELETE FROM customer_arrivals WHERE store_id = $1 AND arrival_id IN `+list, args...)
	return err
}

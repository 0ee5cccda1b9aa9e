// Package arrival records customers for whom more may be available, until they are notified of it.
package arrival

import "punchcard/platform/db"

// Arrival records that new campaigns may be available to a customer, because they registered, were activated,
// or entered a level or a segment. Campaigns are announced to them from these records, and a new level.
type Arrival struct {
	storeKey       int64
	ID, CustomerID string
	FromLevel      string // the level that the customer left; empty unless the level changed by itself
	Quiet          bool   // what is on offer already is no news for them; so it is for newcomers
}

var arrivalTable = db.NewTable("customer_arrivals", "store_id, arrival_id", func(a *Arrival) db.Row {
	return db.Row{
		"store_id", &a.storeKey, "arrival_id", &a.ID, "customer_id", &a.CustomerID, "from_level", &a.FromLevel,
		"quiet", &a.Quiet,
	}
})

type quietKey struct{}

func quiet(tx *db.Tx) *bool { return db.Keep(tx, quietKey{}, func() *bool { return new(bool) }) }

// Quietly makes what the operation changes no news for customers: nobody gets a message about a new level, or a
// notification of campaigns that it or a segment makes available.
func Quietly(tx *db.Tx) { *quiet(tx) = true }

// RecordCustomers records arrivals of customers, in the transaction that causes them.
func RecordCustomers(tx *db.Tx, storeKey int64, customerIDs ...string) error {
	return recordAll(tx, storeKey, false, customerIDs)
}

// RecordNewcomers is RecordCustomers for customers who registered or were activated for the first time.
func RecordNewcomers(tx *db.Tx, storeKey int64, customerIDs ...string) error {
	return recordAll(tx, storeKey, true, customerIDs)
}

func recordAll(tx *db.Tx, storeKey int64, quiet bool, customerIDs []string) error {
	arrivals := make([]Arrival, len(customerIDs))
	for i, id := range customerIDs {
		arrivals[i] = Arrival{CustomerID: id, Quiet: quiet}
	}
	return Record(tx, storeKey, arrivals...)
}

// Record stores arrivals, in the transaction that causes them.
func Record(tx *db.Tx, storeKey int64, arrivals ...Arrival) error {
	for i := range arrivals {
		a := &arrivals[i]
		a.storeKey, a.ID = storeKey, tx.NewID()
		if *quiet(tx) {
			a.FromLevel, a.Quiet = "", true
		}
	}
	return arrivalTable.Insert(tx, db.Pointers(arrivals)...)
}

// Pending lists pending arrivals, roughly oldest first. Read the customers after them, so that their state
// is at least as new.
func Pending(tx *db.Tx, storeKey int64, limit int) ([]Arrival, error) {
	return arrivalTable.All(tx,
		`SELECT * FROM customer_arrivals WHERE store_id = ? ORDER BY arrival_id LIMIT ?`, storeKey, limit)
}

// Lock locks those arrivals that have not been deleted.
func Lock(tx *db.Tx, storeKey int64, arrivals []Arrival) ([]Arrival, error) {
	ids := make([]string, len(arrivals))
	for i := range arrivals {
		ids[i] = arrivals[i].ID
	}
	return arrivalTable.All(tx, `SELECT a.* FROM ? AS v (store, id)
		CROSS JOIN customer_arrivals a
		WHERE a.store_id = v.store AND a.arrival_id = v.id ORDER BY a.arrival_id FOR UPDATE OF a`,
		tx.Among(storeKey, ids...))
}

// Delete deletes arrivals that have been processed.
func Delete(tx *db.Tx, arrivals []Arrival) error {
	return arrivalTable.Delete(tx, db.Pointers(arrivals)...)
}

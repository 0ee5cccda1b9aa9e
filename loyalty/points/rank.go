package points

import (
	"maps"
	"slices"

	"punchcard/platform/db"
)

type rankKey struct{}

// MoveInLists notes, when the operation ends, that the points or purchases of customers have changed, so that a job
// moves them to their new places in sorted lists. Their rows are locked until the commit.
func MoveInLists(tx *db.Tx, storeKey int64, customerIDs ...string) {
	moved := db.Keep(tx, rankKey{}, func() map[accountKey]bool {
		moved := map[accountKey]bool{}
		tx.BeforeCommit("ranks", func() error { return insertMoved(tx, moved) })
		return moved
	})
	for _, id := range customerIDs {
		moved[accountKey{storeKey, id}] = true
	}
}

func insertMoved(tx *db.Tx, moved map[accountKey]bool) error {
	ofStore := map[int64][]string{}
	for key := range moved {
		ofStore[key.store] = append(ofStore[key.store], key.customer)
	}
	rows := make([]*Moved, 0, len(ofStore))
	for _, storeKey := range slices.Sorted(maps.Keys(ofStore)) {
		ids := ofStore[storeKey]
		slices.Sort(ids)
		rows = append(rows, &Moved{storeKey, tx.NewID(), ids})
	}
	return movedTable.Insert(tx, rows...)
}

// Moved lists the customers that one operation noted with MoveInLists.
type Moved struct {
	storeKey  int64
	ID        string
	Customers []string
}

var movedTable = db.NewTable("rank_changes", "store_id, change_id", func(m *Moved) db.Row {
	return db.Row{"store_id", &m.storeKey, "change_id", &m.ID, "customers", db.JSON(&m.Customers)}
})

// ReadMoved returns some of what was noted, roughly the oldest first. Read the customers after it, so that their state
// is at least as new.
func ReadMoved(tx *db.Tx, storeKey int64, limit int) ([]Moved, error) {
	return movedTable.All(tx, `SELECT * FROM rank_changes WHERE store_id = ? ORDER BY change_id LIMIT ?`, storeKey, limit)
}

// DeleteMoved deletes what was taken over.
func DeleteMoved(tx *db.Tx, all []Moved) error {
	return movedTable.Delete(tx, db.Pointers(all)...)
}

// Available returns the available points of distinct customers as they are stored, which are those of the last change.
func Available(tx *db.Tx, storeKey int64, customerIDs ...string) (map[string]Amount, error) {
	found := make(map[string]Amount, len(customerIDs))
	type row struct {
		id     string
		points Amount
	}
	return found, db.Each(tx, func(r *row) []any { return []any{&r.id, &r.points} },
		func(r row) { found[r.id] = r.points }, `SELECT a.customer_id, a.points`+fromAccounts,
		tx.Among(storeKey, customerIDs...))
}

// AvailableQuery selects store_id, customer_id and the available points of all accounts, as they are stored.
const AvailableQuery = `SELECT store_id, customer_id, points FROM accounts`

// EachMoved visits all customers whom operations noted with MoveInLists, for checks.
func EachMoved(tx *db.Tx, visit func(storeKey int64, customerID string)) error {
	type row struct {
		store     int64
		customers []string
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.store, db.JSON(&r.customers)} }, func(r row) {
		for _, id := range r.customers {
			visit(r.store, id)
		}
	}, `SELECT store_id, customers FROM rank_changes`)
}

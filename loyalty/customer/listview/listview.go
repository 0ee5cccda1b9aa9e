// Package listview keeps views of the list of customers, which administrators save for themselves or for all
// administrators of a store: docs/behaviour/customers.md#saved-views.
package listview

import (
	"cmp"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

const (
	// Limit is the number of views that an administrator has in a store, and of those that the store shares.
	Limit = 50
	// NameLimit is the length of a name, in characters.
	NameLimit = 100
)

var errTooMany = fault.New(fault.Conflict, "too_many_views", "There are 50 views already. Delete one of them.")

// view is a saved view.
type view struct {
	ID      string
	OwnerID string
	Owner   string // name
	Details
	CreatedAt time.Time
	storeKey  int64
}

// Details are the fields that administrators edit.
type Details struct {
	Name   string
	Shared bool // with all administrators of the store who see customers
	Query  query
}

// query holds the parameters of the list of customers. It has no words that are searched for, because they are names
// and contacts of customers, who can ask to be forgotten.
type query struct {
	Filters   map[string]string `json:"filters"`
	Sort      string            `json:"sort,omitempty"`
	Direction string            `json:"direction,omitempty"`
}

var customerViews = check.Table{Name: "customer_views", ID: "view_id"}

var table = db.NewTable("customer_views", "store_id, view_id", func(v *view) db.Row {
	return db.Row{
		"store_id", &v.storeKey, "view_id", &v.ID, "owner_id", &v.OwnerID, "owner_name", &v.Owner, "shared", &v.Shared,
		"name", &v.Name,
		"query", db.JSON(&v.Query), "created_at", db.Time(&v.CreatedAt),
	}
})

// visible returns the views of an administrator and the shared ones, by name.
func visible(tx *db.Tx, storeKey int64, ownerID string) ([]view, error) {
	found, err := table.All(tx, `SELECT * FROM customer_views WHERE store_id = ? AND owner_id = ?
		UNION ALL SELECT * FROM customer_views WHERE store_id = ? AND shared AND owner_id <> ?`,
		storeKey, ownerID, storeKey, ownerID)
	slices.SortFunc(found, func(a, b view) int {
		return cmp.Or(cmp.Compare(search.Fold(a.Name), search.Fold(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return found, err
}

// save adds a view, or replaces the details of the one with its id. It locks the store, so that the limits hold.
func save(tx *db.Tx, storeKey int64, v *view) error {
	if _, err := store.Lock(tx, storeKey); err != nil {
		return err
	}
	type counts struct{ own, shared int64 }
	n, _, err := db.One(tx, func(n *counts) []any { return []any{&n.own, &n.shared} }, `SELECT
		(SELECT COUNT(*) FROM customer_views WHERE store_id = ? AND owner_id = ? AND view_id <> ?),
		(SELECT COUNT(*) FROM customer_views WHERE store_id = ? AND shared AND view_id <> ?)`,
		storeKey, v.OwnerID, v.ID, storeKey, v.ID)
	if err != nil {
		return err
	}
	if n.own >= Limit || v.Shared && n.shared >= Limit {
		return errTooMany
	}
	v.storeKey = storeKey
	return table.InsertOr(tx, `ON CONFLICT (store_id, view_id) DO UPDATE SET
		shared = excluded.shared, name = excluded.name, query = excluded.query`, v)
}

// lock returns a view with a row lock. It is fault.ErrNotFound if the administrator may not see it.
func lock(tx *db.Tx, storeKey int64, id, ownerID string) (*view, error) {
	v, found, err := table.One(tx, `SELECT * FROM customer_views
		WHERE store_id = ? AND view_id = ? FOR UPDATE`, storeKey, id)
	if err == nil && (!found || v.OwnerID != ownerID && !v.Shared) {
		err = fault.ErrNotFound
	}
	return &v, err
}

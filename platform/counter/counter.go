// Package counter counts the rows of long tables by store, so that lists need not count them on every
// read.
package counter

import (
	"fmt"
	"strings"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Add adds to the counter of a name. The update runs at the end of the transaction, on one of
// several rows of the counter, so that transactions seldom wait for each other.
func Add(tx *db.Tx, storeKey int64, name string, more int64) {
	tx.BeforeCommit(fmt.Sprintf("counter %d %s", storeKey, name), func() error {
		return table.InsertAdding(tx, &counter{storeKey, name, tx.Shard(), more})
	})
}

type counter struct {
	storeKey int64
	name     string
	shard    int64
	counted  int64
}

var table = db.NewTable("row_counts", "store_id, name, shard", func(c *counter) db.Row {
	return db.Row{"store_id", &c.storeKey, "name", &c.name, "shard", &c.shard, "counted", &c.counted}
})

// Total returns the sum of the counters of the names in a store.
func Total(tx *db.Tx, storeKey int64, names ...string) (total int64, err error) {
	err = tx.Run(SelectTotal(storeKey, &total, names...))
	return total, err
}

// SelectTotal returns the query of Total, which sets the sum.
func SelectTotal(storeKey int64, total *int64, names ...string) db.Query {
	return db.Select(func(n *int64) []any { return []any{n} }, func(n int64) { *total = n },
		`SELECT CAST(COALESCE(SUM(counted), 0) AS BIGINT) FROM row_counts WHERE store_id = ? AND name IN ?`,
		storeKey, db.List(names))
}

// Totals returns a query for the counters of the names, by store and name. The names must be
// constants: they become part of the SQL.
func Totals(names ...string) check.Totals {
	return check.Totals(`SELECT store_id, name AS id, counted AS total FROM row_counts
		WHERE name IN ('` + strings.Join(names, "', '") + `')`)
}

// Package tally knows how many rows a store has in tables that are too long to be counted whenever a list is read.
package tally

import (
	"maps"
	"slices"
	"strings"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Add notes that a store has so many more rows of each name. Transactions that run at once count in rows of their own,
// so that they seldom wait for each other.
func Add(tx *db.Tx, storeKey int64, more map[string]int64) error {
	rows := make([][]any, 0, len(more))
	for _, name := range slices.Sorted(maps.Keys(more)) {
		rows = append(rows, []any{storeKey, name, tx.Lane(), more[name]})
	}
	return tx.Insert("tallies", "store_id, name, lane, counted",
		"ON CONFLICT (store_id, name, lane) DO UPDATE SET counted = tallies.counted + excluded.counted", rows...)
}

// Total is how many rows a store has of the names together.
func Total(tx *db.Tx, storeKey int64, names ...string) (int64, error) {
	list, args := db.In([]any{storeKey}, names...)
	return db.Value[int64](tx, `SELECT CAST(COALESCE(SUM(counted), 0) AS BIGINT) FROM tallies
		WHERE store_id = $1 AND name IN `+list, args...)
}

// Figures are the totals of names that are written in code, by store and name.
func Figures(names ...string) check.Figures {
	return check.Figures(`SELECT store_id, name AS id, counted AS figure FROM tallies
		WHERE name IN ('` + strings.Join(names, "', '") + `')`)
}

// Package tally knows how many rows a store has in tables that are too long to be counted whenever a list is read.
package tally

import (
	"fmt"
	"strings"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Add notes that a store has so many more rows of a name. They are counted at the end of the transaction, in the row of
// its lane, so that transactions seldom wait for each other, and never for one that waits for them.
func Add(tx *db.Tx, storeKey int64, name string, more int64) {
	tx.AtEnd(fmt.Sprintf("tally %d %s", storeKey, name), func() error {
		return tx.Insert("tallies", "store_id, name, lane, counted",
			"ON CONFLICT (store_id, name, lane) DO UPDATE SET counted = tallies.counted + excluded.counted",
			[]any{storeKey, name, tx.Lane(), more})
	})
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

package rollup

import (
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// Scattered returns the first days, up to one, whose sums are in several rows, because concurrent transactions have
// added to them.
func Scattered(tx *db.Tx, storeKey int64, until calendar.Day, limit int) ([]calendar.Day, error) {
	return db.All(tx, func(day *calendar.Day) []any { return []any{(*int64)(day)} }, `SELECT day FROM daily_sums
		WHERE store_id = ? AND day <= ? GROUP BY day HAVING COUNT(*) > 1 ORDER BY day LIMIT ?`,
		storeKey, int64(until), limit)
}

// Merge puts the sums of a day into one row, and those of each point of sale and level, so that reads of long periods
// read one row a day.
func Merge(tx *db.Tx, storeKey int64, day calendar.Day) error {
	type row struct {
		dayRow
		shard int64
	}
	rows, err := db.All(tx, func(r *row) []any { return append(r.row(), &r.shard) }, `SELECT store_id, day, `+allColumns+
		`, shard FROM daily_sums WHERE store_id = ? AND day = ? ORDER BY shard FOR UPDATE`, storeKey, int64(day))
	if err == nil {
		err = mergeSales(tx, storeKey, day)
	}
	if err == nil {
		err = mergeRewards(tx, storeKey, day)
	}
	if err != nil || len(rows) < 2 {
		return err
	}
	merged := []any{storeKey, int64(day), rows[0].shard}
	var rest Sums
	for _, r := range rows[1:] { // another transaction may add a row meanwhile, which stays
		rest.Add(&r.sums)
		_, err := tx.Exec(`DELETE FROM daily_sums WHERE store_id = ? AND day = ? AND shard = ?`,
			storeKey, int64(day), r.shard)
		if err != nil {
			return err
		}
	}
	for _, sum := range rest {
		merged = append(merged, sum)
	}
	return tx.Insert("daily_sums", insertion, addition, merged)
}

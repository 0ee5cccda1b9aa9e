package rollup

import (
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// Scattered returns the first days, up to one, whose sums are in several rows, because concurrent transactions have
// added to them.
func Scattered(tx *db.Tx, storeKey int64, until calendar.Day, limit int) ([]calendar.Day, error) {
	return db.AllValues[calendar.Day](tx, `SELECT day FROM daily_sums
		WHERE store_id = ? AND day <= ? GROUP BY day HAVING COUNT(*) > 1 ORDER BY day LIMIT ?`,
		storeKey, int64(until), limit)
}

// Merge puts the sums of a day into one row, and those of each point of sale and level, so that reads of long periods
// read one row a day.
func Merge(tx *db.Tx, storeKey int64, day calendar.Day) error {
	rows, err := dayTable.All(tx, `SELECT * FROM daily_sums WHERE store_id = ? AND day = ? ORDER BY shard FOR UPDATE`,
		storeKey, int64(day))
	if err == nil {
		err = mergeSales(tx, storeKey, day)
	}
	if err == nil {
		err = mergeRewards(tx, storeKey, day)
	}
	if err != nil || len(rows) < 2 {
		return err
	}
	merged := dayRow{store: storeKey, day: day, shard: rows[0].shard}
	for i := range rows[1:] {
		merged.sums.Add(&rows[1+i].sums)
	}
	// Another transaction may add a row meanwhile, which stays.
	if err := dayTable.Delete(tx, db.Pointers(rows[1:])...); err != nil {
		return err
	}
	return dayTable.InsertAdding(tx, &merged)
}

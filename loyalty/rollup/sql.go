package rollup

import (
	"strings"

	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// dayRow is a row of sums.
type dayRow struct {
	store int64
	day   calendar.Day
	shard int64
	sums  Sums
}

var dayTable = db.NewTable("daily_sums", "store_id, day, shard", func(r *dayRow) db.Row {
	row := db.Row{"store_id", &r.store, "day", (*int64)(&r.day), "shard", &r.shard}
	for kind, column := range columns {
		row = append(row, column, &r.sums[kind])
	}
	return row
})

// sumsOf selects the sum of each column.
var sumsOf = func() string {
	all := make([]string, kinds)
	for kind, column := range columns {
		all[kind] = "CAST(COALESCE(SUM(" + column + "), 0) AS BIGINT) AS " + column
	}
	return strings.Join(all, ", ")
}()

// Days returns the sums of the days of a period, both days included. Days without any are missing.
func Days(tx *db.Tx, storeKey int64, from, to calendar.Day) (map[calendar.Day]Sums, error) {
	days := map[calendar.Day]Sums{}
	return days, dayTable.Each(tx, func(r dayRow) { days[r.day] = r.sums },
		`SELECT store_id, day, `+sumsOf+` FROM daily_sums WHERE store_id = ? AND day BETWEEN ? AND ?
		GROUP BY store_id, day`, storeKey, int64(from), int64(to))
}

// Total returns the sums of all days up to one. It reads a few rows for each day of the store's history.
func Total(tx *db.Tx, storeKey int64, to calendar.Day) (Sums, error) {
	total, _, err := dayTable.One(tx, `SELECT `+sumsOf+` FROM daily_sums WHERE store_id = ? AND day <= ?`,
		storeKey, int64(to))
	return total.sums, err
}

package customer

import (
	"time"

	"punchcard/platform/db"
)

// Period is a time that includes From and excludes To.
type Period struct{ From, To time.Time }

// CountRegistrations counts the registrations of each period that has any, and visits them by the index of the period.
func CountRegistrations(tx *db.Tx, storeKey int64, periods []Period, visit func(number int, count int64)) error {
	rows := make([][]any, len(periods))
	for i, p := range periods {
		rows[i] = []any{int64(i), p.From.UnixMicro(), p.To.UnixMicro()}
	}
	type row struct {
		number int
		count  int64
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.number, &r.count} },
		func(r row) { visit(r.number, r.count) }, `SELECT v.number, COUNT(*) FROM ? AS v (store, number, since, until)
			CROSS JOIN customers c
		WHERE c.store_id = v.store AND c.status <> 'deleted' AND c.created_at >= v.since AND c.created_at < v.until
		GROUP BY v.number`, tx.AmongRows(storeKey, []string{"BIGINT", "BIGINT", "BIGINT"}, rows...))
}

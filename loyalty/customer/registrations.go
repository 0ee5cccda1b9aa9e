package customer

import (
	"strconv"
	"time"

	"punchcard/platform/db"
)

// Period is a time that includes From and excludes To.
type Period struct{ From, To time.Time }

// EachRegistered counts the registrations of each period that has any, and visits them by the index of the period.
func EachRegistered(tx *db.Tx, storeKey int64, periods []Period, visit func(number int, count int64)) error {
	q := db.NewSQL(`SELECT v.column1, COUNT(*) FROM (VALUES `)
	for i, s := range periods {
		q.Add(","[:min(i, 1)]+"("+strconv.Itoa(i)+",CAST(? AS BIGINT),CAST(? AS BIGINT))",
			s.From.UnixMicro(), s.To.UnixMicro())
	}
	q.Add(`) AS v CROSS JOIN customers c
		WHERE c.store_id = ? AND c.status <> 'deleted' AND c.created_at >= v.column2 AND c.created_at < v.column3
		GROUP BY v.column1`, storeKey)
	type row struct {
		number int
		count  int64
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.number, &r.count} },
		func(r row) { visit(r.number, r.count) }, q.Text(), q.Args()...)
}

package rollup

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/core/store"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// Unknown is the active day of a customer whose rows were not counted yet.
const Unknown calendar.Day = -1

// activeKey is a day on which customers were active, with the day on which they were active before.
type activeKey struct {
	store         int64
	day, previous calendar.Day
}

// Activate counts a customer, whose account is locked, as active now. It returns the day to store in the account.
func Activate(tx *db.Tx, s *store.Store, last calendar.Day) calendar.Day {
	today := calendar.DayOf(tx.Now(), s.Zone)
	if last == Unknown || today <= last {
		return last
	}
	AddActive(tx, s.Key, today, last)
	return today
}

// AddActive counts a customer on a day, who was active on another day before, 0 for never.
func AddActive(tx *db.Tx, storeKey int64, day, previous calendar.Day) {
	pendingOf(tx).active[activeKey{storeKey, day, previous}]++
}

// CorrectActive adds customers to those who were last active on a day. Their earlier days are not stored anywhere, so
// they count as new on that day.
func CorrectActive(tx *db.Tx, storeKey int64, day calendar.Day, customers int64) {
	pendingOf(tx).active[activeKey{storeKey, day, 0}] += customers
}

func (p *pending) writeActive(tx *db.Tx) error {
	var rows []*activeDay
	for _, key := range slices.SortedFunc(maps.Keys(p.active), func(a, b activeKey) int {
		return cmp.Or(cmp.Compare(a.store, b.store), cmp.Compare(a.day, b.day), cmp.Compare(a.previous, b.previous))
	}) {
		rows = append(rows, &activeDay{key, p.active[key]})
	}
	return activeTable.InsertAdding(tx, rows...)
}

// ActiveIn returns the number of customers who were active in each of some periods, both days included. A customer
// counts on the first of their days in a period, which is the one whose previous day lies before it.
func ActiveIn(tx *db.Tx, storeKey int64, periods [][2]calendar.Day) ([]int64, error) {
	return countIn(tx, storeKey, periods, ``)
}

// ReturningIn is ActiveIn for customers who were active before the period, too.
func ReturningIn(tx *db.Tx, storeKey int64, periods [][2]calendar.Day) ([]int64, error) {
	return countIn(tx, storeKey, periods, ` AND a.previous_day > 0`)
}

func countIn(tx *db.Tx, storeKey int64, periods [][2]calendar.Day, and string) ([]int64, error) {
	rows := make([][]any, len(periods))
	for i, p := range periods {
		rows[i] = []any{int64(i), int64(p[0]), int64(p[1])}
	}
	type row struct{ period, customers int64 }
	active := make([]int64, len(periods))
	return active, db.Each(tx, func(r *row) []any { return []any{&r.period, &r.customers} },
		func(r row) { active[r.period] = r.customers },
		`SELECT v.number, CAST(SUM(customers) AS BIGINT) FROM ? AS v (store, number, since, until)
			CROSS JOIN active_days a
		WHERE a.store_id = v.store AND a.day BETWEEN v.since AND v.until AND a.previous_day < v.since`+and+`
		GROUP BY v.number`, tx.AmongRows(storeKey, []string{"BIGINT", "BIGINT", "BIGINT"}, rows...))
}

// activeDay is the number of customers who were active on a day and, before it, last on another.
type activeDay struct {
	activeKey
	customers int64
}

var activeTable = db.NewTable("active_days", "store_id, day, previous_day", func(a *activeDay) db.Row {
	return db.Row{
		"store_id", &a.store, "day", (*int64)(&a.day), "previous_day", (*int64)(&a.previous), "customers", &a.customers,
	}
})

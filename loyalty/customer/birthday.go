package customer

import (
	"punchcard/platform/calendar"
	"punchcard/platform/db"
)

// BornOn lists the active customers who agreed to marketing and have their birthday on a day. Those who were born on 29
// February have it on 28 February in other years. It reads up to limit customers after a key, which is empty at first,
// and returns the next key, which is empty when there are no more.
func BornOn(tx *db.Tx, storeKey int64, day calendar.Day, after string, limit int) (
	ids []string, next string, err error) {
	first := day.Format("01-02")
	last := first
	if first == "02-28" && day+1 == day.Month(1) {
		last = "02-29"
	}
	// A key is the birthday and the id.
	born, afterID := first, ""
	if len(after) > len(first) {
		born, afterID = after[:len(first)], after[len(first):]
	}
	type row struct{ born, id string }
	const birthday = `SUBSTR(birth_date, 6, 5)`
	found, err := db.All(tx, func(r *row) []any { return []any{&r.born, &r.id} },
		`SELECT `+birthday+`, customer_id FROM customers
		WHERE store_id = ? AND status = 'active' AND birth_date <> ''
			AND `+birthday+` >= ? AND `+birthday+` <= ? AND (`+birthday+` > ? OR customer_id > ?)
		ORDER BY `+birthday+`, customer_id LIMIT ?`, storeKey, born, last, born, afterID, limit)
	for _, r := range found {
		ids, next = append(ids, r.id), r.born+r.id
	}
	if len(found) < limit {
		next = ""
	}
	return ids, next, err
}

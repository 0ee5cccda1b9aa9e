package purchase

import "punchcard/platform/db"

// older returns at most limit purchases of a customer, newest first. It begins after the purchase before, or with the
// newest one if before is empty. The cost does not depend on the number of other purchases.
func older(tx *db.Tx, storeKey int64, customerID, before string, limit int) ([]Purchase, error) {
	return nextTo(tx, storeKey, customerID, before, "<", " DESC", limit)
}

// newer returns at most limit purchases of a customer in the order of buying, like older.
func newer(tx *db.Tx, storeKey int64, customerID, after string, limit int) ([]Purchase, error) {
	return nextTo(tx, storeKey, customerID, after, ">", "", limit)
}

// nextTo returns the purchases on one side of a coupon.
func nextTo(tx *db.Tx, storeKey int64, customerID, couponID, side, direction string, limit int) ([]Purchase, error) {
	q := db.NewSQL(`SELECT * FROM purchases WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	if couponID != "" {
		q.And(`coupon_id `+side+` ? AND purchased_at `+side+`= (SELECT o.purchased_at FROM purchases o
			WHERE o.store_id = ? AND o.coupon_id = ?)`, couponID, storeKey, couponID)
	}
	q.Add(` ORDER BY purchased_at`+direction+`, coupon_id`+direction+` LIMIT ?`, limit)
	return table.All(tx, q.Text(), q.Args()...)
}

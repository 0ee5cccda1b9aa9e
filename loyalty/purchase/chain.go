package purchase

import (
	"strings"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// fromOwn begins a query of the purchases of one customer, whose store stands as ?. It follows the linked list from the
// account backwards, which needs no index and reads only these purchases. The table has some columns of purchases, with
// store_id and previous_id, because each step copies them.
func fromOwn(columns, customer string) string {
	columns = ofPurchases(columns)
	return `FROM (WITH RECURSIVE own AS (
		SELECT ` + columns + ` FROM (` + points.PurchasesQuery + `) a CROSS JOIN purchases p
			WHERE a.store_id = ? AND a.customer_id = ` + customer + `
				AND p.store_id = a.store_id AND p.coupon_id = a.last_purchase_id
		UNION ALL
		SELECT ` + columns + ` FROM own o CROSS JOIN purchases p
			WHERE p.store_id = o.store_id AND p.coupon_id = o.previous_id)
		SELECT * FROM own) AS own WHERE store_id = $1`
}

// ofPurchases names columns as those of the table p.
func ofPurchases(columns string) string { return "p." + strings.ReplaceAll(columns, ", ", ", p.") }

// older returns at most limit purchases of a customer, newest first. It begins after the purchase before, or with the
// newest one if before is empty. The cost does not depend on the number of other purchases.
func older(tx *db.Tx, storeKey int64, customerID, before string, limit int) ([]Purchase, error) {
	from := db.NewSQL(`SELECT last_purchase_id AS coupon FROM (`+points.PurchasesQuery+`) a
		WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	if before != "" {
		from = db.NewSQL(`SELECT previous_id AS coupon FROM purchases
			WHERE store_id = ? AND coupon_id = ? AND customer_id = ?`, storeKey, before, customerID)
	}
	return db.All(tx, (*Purchase).row, `WITH RECURSIVE own AS (
		SELECT p.*, 1 AS place FROM (?) f CROSS JOIN purchases p WHERE p.store_id = $1 AND p.coupon_id = f.coupon
		UNION ALL
		SELECT p.*, o.place + 1 FROM own o CROSS JOIN purchases p
			WHERE p.store_id = o.store_id AND p.coupon_id = o.previous_id AND o.place < ?)
		SELECT `+columns+` FROM own ORDER BY place`, from, limit)
}

package purchase

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// forgottenAtOnce is the number of purchases that one transaction of Forget or page of Export reads.
const forgottenAtOnce = 500

// Forget clears the personal data of a customer's purchases, some at a time. It continues after the coupon after, and
// returns the last coupon that it cleared, or an empty string if none is left.
func Forget(tx *db.Tx, s *store.Store, customerID, after string) (last string, err error) {
	ids, err := db.All(tx, func(id *string) []any { return []any{id} }, `SELECT coupon_id FROM purchases
		WHERE store_id = $1 AND customer_id = $2 AND coupon_id > $3 ORDER BY coupon_id LIMIT $4`,
		s.Key, customerID, after, forgottenAtOnce)
	if err != nil || len(ids) == 0 {
		return "", err
	}
	last = ids[len(ids)-1]
	_, err = tx.Exec(`UPDATE purchases SET customer_email = '', customer_phone = '', customer_name = '',
		customer_lastname = '', shipping_address = '{}'
		WHERE store_id = $1 AND customer_id = $2 AND coupon_id > $3 AND coupon_id <= $4`, s.Key, customerID, after, last)
	if len(ids) < forgottenAtOnce {
		return "", err
	}
	return last, err
}

// Export returns a page of a customer's purchases in order of coupon ids. next is empty on the last page.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, err := db.All(tx, (*Purchase).row, `SELECT `+columns+` FROM purchases
		WHERE store_id = $1 AND customer_id = $2 AND coupon_id > $3 ORDER BY coupon_id LIMIT $4`,
		s.Key, customerID, after, forgottenAtOnce)
	for i := range found {
		items = append(items, boughtView(s, &found[i], tx.Now()))
	}
	if len(found) == forgottenAtOnce {
		next = found[forgottenAtOnce-1].CouponID
	}
	return items, next, err
}

package purchase

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// forgottenAtOnce is the number of purchases that one transaction of Forget or page of Export reads.
const forgottenAtOnce = 500

// Forget clears the personal data of a customer's purchases, some at a time, newest first. It continues after a
// coupon, and returns the last one that it cleared, or an empty string if none is left.
func Forget(tx *db.Tx, s *store.Store, customerID, after string) (last string, err error) {
	found, err := older(tx, s.Key, customerID, after, forgottenAtOnce)
	if err != nil {
		return "", err
	}
	for i := range found {
		p := &found[i]
		p.Email, p.Phone, p.FirstName, p.LastName, p.ShippingAddress = "", "", "", "", "{}"
	}
	if len(found) == forgottenAtOnce {
		last = found[forgottenAtOnce-1].CouponID
	}
	return last, table.Update(tx, "customer_email, customer_phone, customer_name, customer_lastname, shipping_address",
		db.Pointers(found)...)
}

// Export returns a page of a customer's purchases in the order of buying. next is empty on the last page.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, err := newer(tx, s.Key, customerID, after, forgottenAtOnce)
	for i := range found {
		items = append(items, boughtView(s, &found[i], tx.Now()))
	}
	if len(found) == forgottenAtOnce {
		next = found[forgottenAtOnce-1].CouponID
	}
	return items, next, err
}

package audit

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// forgetBatch is how many entries are cleared in one step.
const forgetBatch = 200

// Forget removes the personal data of a customer from the entries about them, archived ones included, and continues
// after an id. It returns the next one, which is empty at the end.
func Forget(tx *db.Tx, _ *store.Store, customerID, after string) (next string, err error) {
	found, err := OfCustomer(tx, customerID, after, forgetBatch)
	if err != nil {
		return "", err
	}
	return "", erase(tx, found, &next)
}

// ForgetPurchases removes the addresses from the entries of a customer's own purchases, which have the ids of coupons.
func ForgetPurchases(tx *db.Tx, couponIDs ...string) error {
	rows := make([][]any, len(couponIDs))
	for i, id := range couponIDs {
		rows[i] = []any{id, "customer", ""}
	}
	return tx.Update("audit_entries", []db.Column{{Name: "audit_id", Type: "TEXT"}, {Name: "user_type", Type: "TEXT"}},
		[]db.Column{{Name: "ip", Type: "TEXT"}}, rows...)
}

// erase clears entries and sets next to the id of the last one if there may be more.
func erase(tx *db.Tx, found []Entry, next *string) error {
	for i := range found {
		found[i].HidePersonal()
	}
	if len(found) == forgetBatch {
		*next = found[len(found)-1].ID
	}
	return table.Update(tx, "username, ip, data", db.Pointers(found)...)
}

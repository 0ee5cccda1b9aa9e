package seller

import (
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

var table = db.NewTable("sellers", "store_id, seller_id", func(s *Seller) db.Row {
	return db.Row{
		"store_id", &s.StoreKey, "seller_id", &s.ID, "email", &s.Email, "first_name", &s.FirstName,
		"last_name", &s.LastName, "phone", &s.Phone, "password_hash", &s.PasswordHash, "pos_id", &s.POSID,
		"active", &s.Active, "deleted", &s.Deleted, "allow_point_transfer", &s.AllowPointTransfer,
		"allow_coupon_use", &s.AllowCouponUse, "allow_coupon_lookup", &s.AllowCouponLookup,
		"allow_transactions", &s.AllowTransactions, "allow_coupon_cancel", &s.AllowCouponCancel,
		"last_login_at", db.Time(&s.LastLoginAt), "created_at", db.Time(&s.CreatedAt),
		"first_name_order", db.Derived(&s.FirstName, search.Fold), "last_name_order", db.Derived(&s.LastName, search.Fold),
	}
})

func insertSeller(tx *db.Tx, s *Seller) error {
	return table.Insert(tx, s)
}

// updateSeller stores the fields that administrators change.
func updateSeller(tx *db.Tx, s *Seller) error {
	return table.Update(tx, "email, first_name, last_name, phone, password_hash, pos_id, active, allow_point_transfer, "+
		"allow_coupon_use, allow_coupon_lookup, allow_transactions, allow_coupon_cancel, first_name_order, last_name_order",
		s)
}

// set updates one column of a seller who is not deleted. column must be a constant.
func set(tx *db.Tx, storeKey int64, id, column string, value any) error {
	n, err := tx.Exec(`UPDATE sellers SET `+column+` = ? WHERE store_id = ? AND seller_id = ? AND NOT deleted`,
		value, storeKey, id)
	if err == nil && n == 0 {
		err = fault.ErrNotFound
	}
	return err
}

// SetPassword replaces a seller's password; changed is false if it is no longer former.
func SetPassword(tx *db.Tx, storeKey int64, id, former, hash string) (changed bool, err error) {
	n, err := tx.Exec(`UPDATE sellers SET password_hash = ?
		WHERE store_id = ? AND seller_id = ? AND password_hash = ? AND NOT deleted`, hash, storeKey, id, former)
	return n == 1, err
}

// FindByID finds a seller, active or not, who is not deleted.
func FindByID(tx *db.Tx, storeKey int64, id string) (Seller, bool, error) {
	return table.One(tx, `SELECT * FROM sellers
		WHERE store_id = ? AND seller_id = ? AND NOT deleted`, storeKey, id)
}

// FindByLogin finds a seller, active or not, who is not deleted, by e-mail address.
func FindByLogin(tx *db.Tx, storeKey int64, email string) (Seller, bool, error) {
	return table.One(tx, `SELECT * FROM sellers
		WHERE store_id = ? AND email = ? AND NOT deleted`, storeKey, fold(email))
}

// StoresWithLogin lists the keys of the stores that have a seller with the e-mail address. It reads the whole index,
// which has as many entries as the stores have sellers.
func StoresWithLogin(tx *db.Tx, email string) ([]int64, error) {
	return db.AllValues[int64](tx,
		`SELECT store_id FROM sellers WHERE email = ? AND NOT deleted ORDER BY store_id`, fold(email))
}

// SetLastLogin records the time of a log-in, which unlocks the PIN. same is false, and nothing is recorded, if the
// seller is no longer active or no longer has the password.
func SetLastLogin(tx *db.Tx, storeKey int64, id, passwordHash string) (same bool, err error) {
	n, err := tx.Exec(`UPDATE sellers SET last_login_at = ?, pin_tries = 0
		WHERE store_id = ? AND seller_id = ? AND password_hash = ? AND active AND NOT deleted`,
		tx.Now().UnixMicro(), storeKey, id, passwordHash)
	return n == 1, err
}

// SetIdentified records the time of a log-in of a seller whom an identity provider has signed in. It unlocks the PIN.
func SetIdentified(tx *db.Tx, storeKey int64, id string) error {
	_, err := tx.Exec(`UPDATE sellers SET last_login_at = ?, pin_tries = 0 WHERE store_id = ? AND seller_id = ?`,
		tx.Now().UnixMicro(), storeKey, id)
	return err
}

var sortable = api.Order{Tie: "seller_id", Columns: map[string]api.Column{
	"sellerId": "seller_id", "firstName": "first_name_order", "lastName": "last_name_order",
	"email": "email", "phone": "phone", "posId": "pos_id", "active": "active",
	"allowPointTransfer": "allow_point_transfer",
	"allowCouponUse":     "allow_coupon_use", "allowCouponLookup": "allow_coupon_lookup",
	"allowTransactions": "allow_transactions", "allowCouponCancel": "allow_coupon_cancel",
}}

// eachOf visits all sellers of a store who are not deleted.
func eachOf(tx *db.Tx, storeKey int64, order db.Order, visit func(s Seller)) error {
	return table.Each(tx, visit,
		`SELECT * FROM sellers WHERE store_id = ? AND NOT deleted ORDER BY ?`, storeKey, order)
}

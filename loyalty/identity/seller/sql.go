package seller

import (
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
)

const columns = `store_id, seller_id, email, first_name, last_name, phone, password_hash, pos_id,
	active, deleted, allow_point_transfer, allow_coupon_use, allow_coupon_lookup, allow_transactions,
	allow_coupon_cancel, last_login_at, created_at`

func (s *Seller) row() []any {
	return []any{
		&s.StoreKey, &s.ID, &s.Email, &s.FirstName, &s.LastName, &s.Phone, &s.PasswordHash, &s.POSID,
		&s.Active, &s.Deleted, &s.AllowPointTransfer, &s.AllowCouponUse, &s.AllowCouponLookup, &s.AllowTransactions,
		&s.AllowCouponCancel, db.Time(&s.LastLoginAt), db.Time(&s.CreatedAt),
	}
}

func insertSeller(tx *db.Tx, s *Seller) error {
	return tx.Insert("sellers", columns+", first_name_order, last_name_order", "",
		append(s.row(), search.Fold(s.FirstName), search.Fold(s.LastName)))
}

// updateSeller stores the fields that administrators change.
func updateSeller(tx *db.Tx, s *Seller) error {
	_, err := tx.Exec(`UPDATE sellers SET email = ?, first_name = ?, last_name = ?, phone = ?, password_hash = ?,
		pos_id = ?, active = ?, allow_point_transfer = ?, allow_coupon_use = ?, allow_coupon_lookup = ?,
		allow_transactions = ?, allow_coupon_cancel = ?, first_name_order = ?, last_name_order = ?
		WHERE store_id = ? AND seller_id = ?`,
		s.Email, s.FirstName, s.LastName, s.Phone, s.PasswordHash, s.POSID, s.Active, s.AllowPointTransfer,
		s.AllowCouponUse, s.AllowCouponLookup, s.AllowTransactions, s.AllowCouponCancel, search.Fold(s.FirstName),
		search.Fold(s.LastName), s.StoreKey, s.ID)
	return err
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
	return db.One(tx, (*Seller).row, `SELECT `+columns+` FROM sellers
		WHERE store_id = ? AND seller_id = ? AND NOT deleted`, storeKey, id)
}

// FindByLogin finds a seller, active or not, who is not deleted, by e-mail address.
func FindByLogin(tx *db.Tx, storeKey int64, email string) (Seller, bool, error) {
	return db.One(tx, (*Seller).row, `SELECT `+columns+` FROM sellers
		WHERE store_id = ? AND email = ? AND NOT deleted`, storeKey, fold(email))
}

// StoresWithLogin lists the keys of the stores that have a seller with the e-mail address. It reads the whole index,
// which has as many entries as the stores have sellers.
func StoresWithLogin(tx *db.Tx, email string) ([]int64, error) {
	return db.All(tx, func(key *int64) []any { return []any{key} },
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
	return db.Each(tx, (*Seller).row, visit,
		`SELECT `+columns+` FROM sellers WHERE store_id = ? AND NOT deleted ORDER BY ?`, storeKey, order)
}

package seller

import "punchcard/platform/db"

const columns = `store_id, seller_id, email, first_name, last_name, phone, password_hash, pos_id,
	active, deleted, allow_point_transfer, last_login_at, created_at`

func (s *Seller) row() []any {
	return []any{
		&s.StoreKey, &s.ID, &s.Email, &s.FirstName, &s.LastName, &s.Phone, &s.PasswordHash, &s.POSID,
		&s.Active, &s.Deleted, &s.AllowPointTransfer, db.Time(&s.LastLoginAt), db.Time(&s.CreatedAt),
	}
}

func insert(tx *db.Tx, s *Seller) error {
	inserted, err := tx.InsertNew("sellers", columns, s.row())
	if err == nil && !inserted {
		return ErrTaken
	}
	return err
}

// FindByID finds a seller, active or not, unless he is deleted.
func FindByID(tx *db.Tx, storeKey int64, id string) (Seller, bool, error) {
	return db.One(tx, (*Seller).row, `SELECT `+columns+` FROM sellers
		WHERE store_id = $1 AND seller_id = $2 AND NOT deleted`, storeKey, id)
}

// FindByLogin finds a seller, active or not, by his e-mail address, unless he is deleted.
func FindByLogin(tx *db.Tx, storeKey int64, email string) (Seller, bool, error) {
	return db.One(tx, (*Seller).row, `SELECT `+columns+` FROM sellers
		WHERE store_id = $1 AND email = $2 AND NOT deleted`, storeKey, fold(email))
}

// StoresWithLogin lists the inner keys of the stores that have a seller with the e-mail address. It
// reads the whole index: a merchant has as many sellers as people work in his shops.
func StoresWithLogin(tx *db.Tx, email string) ([]int64, error) {
	return db.All(tx, func(key *int64) []any { return []any{key} },
		`SELECT store_id FROM sellers WHERE email = $1 AND NOT deleted ORDER BY store_id`, fold(email))
}

// SetLastLogin notes that the seller logs in now.
func SetLastLogin(tx *db.Tx, storeKey int64, id string) error {
	_, err := tx.Exec(`UPDATE sellers SET last_login_at = $3 WHERE store_id = $1 AND seller_id = $2`,
		storeKey, id, tx.Now.UnixMicro())
	return err
}

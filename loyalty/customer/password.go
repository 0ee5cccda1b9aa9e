package customer

import "punchcard/platform/db"

// SetPassword replaces a customer's password hash. It returns false if the former hash is not the present
// one.
func SetPassword(tx *db.Tx, storeKey int64, id, former, hash string) (changed bool, err error) {
	n, err := tx.Exec(`UPDATE customers SET password_hash = $4, password_temporary = FALSE
		WHERE store_id = $1 AND customer_id = $2 AND password_hash = $3`, storeKey, id, former, hash)
	return n == 1, err
}

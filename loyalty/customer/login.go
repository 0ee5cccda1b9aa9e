package customer

import (
	"time"

	"punchcard/core/store"
	"punchcard/platform/db"
)

// SetPassword replaces a customer's password hash. It returns false if the former hash is not the present
// one.
func SetPassword(tx *db.Tx, storeKey int64, id, former, hash string) (changed bool, err error) {
	n, err := tx.Exec(`UPDATE customers SET password_hash = ?, password_temporary = FALSE
		WHERE store_id = ? AND customer_id = ? AND password_hash = ?`, hash, storeKey, id, former)
	return n == 1, err
}

// SetTemporaryPassword gives an active customer without a password of their own a generated one, in place of the one
// that was generated before. It returns false for every other customer.
func SetTemporaryPassword(tx *db.Tx, storeKey int64, id, hash string) (changed bool, err error) {
	n, err := tx.Exec(`UPDATE customers SET password_hash = ?, password_temporary = TRUE
		WHERE store_id = ? AND customer_id = ? AND status = 'active' AND (password_temporary OR password_hash = '')`,
		hash, storeKey, id)
	return n == 1, err
}

// Login has the fields of a customer that a log-in checks.
type Login struct {
	StoreKey         int64
	ID, Username     string
	PasswordHash     string
	Temporary        bool // the password must be changed
	Active           bool
	Blocked          bool // existing tokens may still read; false if anonymized
	LastLoginAt      time.Time
	anonymizedAt     time.Time
	status, fallback string
}

var loginView = db.NewView(table, func(l *Login) db.Row {
	return db.Row{
		"store_id", &l.StoreKey, "customer_id", &l.ID, "email", &l.Username, "phone", &l.fallback,
		"password_hash", &l.PasswordHash, "password_temporary", &l.Temporary, "status", &l.status,
		"last_login_at", db.Time(&l.LastLoginAt), "anonymized_at", db.Time(&l.anonymizedAt),
	}
})

// FindLogin finds a customer by e-mail address, phone or loyalty card, in this order. It looks for all of them, so that
// the work does not tell who has the identifier.
func FindLogin(tx *db.Tx, storeKey int64, identifier string) (Login, bool, error) {
	var first Login
	found := false
	for _, column := range []string{"email", "phone_key", "loyalty_card_key"} {
		value, err := keyIn(tx, storeKey, column, identifier)
		if err != nil {
			return Login{}, false, err
		}
		l, has, err := findLogin(tx, storeKey, column, value)
		if err != nil {
			return Login{}, false, err
		}
		if has && !found {
			first, found = l, true
		}
	}
	return first, found, nil
}

// EachInactiveSince visits the customers of all stores who were blocked or deleted at the moment or after it.
func EachInactiveSince(tx *db.Tx, moment time.Time, visit func(id string, since time.Time)) error {
	return table.Each(tx, func(c Customer) { visit(c.ID, c.InactiveSince) },
		`SELECT customer_id, inactive_since FROM customers WHERE inactive_since >= ?`, moment.UnixMicro())
}

// FindLoginByID finds a customer's log-in by id.
func FindLoginByID(tx *db.Tx, storeKey int64, id string) (Login, bool, error) {
	return findLogin(tx, storeKey, "customer_id", id)
}

func findLogin(tx *db.Tx, storeKey int64, column, value string) (Login, bool, error) {
	l, found, err := loginView.One(tx, `SELECT * FROM customers
		WHERE store_id = ? AND `+column+` = ?`+present(column), storeKey, value)
	l.Active, l.Blocked = l.status == Active, l.status == Blocked && l.anonymizedAt.IsZero()
	if l.Username == "" {
		l.Username = l.fallback
	}
	return l, found, err
}

// LoggedIn records the time of a successful log-in. It returns false, and records nothing, if the customer is
// not active or the password was changed meanwhile.
func LoggedIn(tx *db.Tx, storeKey int64, id, passwordHash string) (same bool, err error) {
	n, err := tx.Exec(`UPDATE customers SET last_login_at = ? WHERE store_id = ? AND customer_id = ?
		AND password_hash = ? AND status = 'active'`, tx.Now().UnixMicro(), storeKey, id, passwordHash)
	return n == 1, err
}

// StoresWithLogin lists the internal keys of the active stores that have a customer with the identifier.
func StoresWithLogin(tx *db.Tx, identifier string) ([]int64, error) {
	stores, err := store.All(tx)
	if err != nil {
		return nil, err
	}
	var keys []int64
	for _, s := range stores {
		if !s.Active {
			continue
		}
		_, found, err := FindLogin(tx, s.Key, identifier)
		if err != nil {
			return nil, err
		}
		if found {
			keys = append(keys, s.Key)
		}
	}
	return keys, nil
}

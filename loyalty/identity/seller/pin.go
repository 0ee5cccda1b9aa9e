package seller

import (
	"strings"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

const (
	// MinPIN and MaxPIN are the numbers of digits of a PIN.
	MinPIN, MaxPIN = 4, 8
	// MaxPINTries is how many wrong tries lock a PIN.
	MaxPINTries = 5
	// MaxNamesAtTill is how many sellers with a PIN a till shows.
	MaxNamesAtTill = 200
)

var (
	errPINDigits = fault.New(fault.Fields, "pin_digits", "A PIN has 4 to 8 digits.")
	errPINSimple = fault.New(fault.Fields, "pin_too_simple",
		"This PIN is easy to guess: choose one that is not a single digit or a row of digits.")
	// ErrPINLocked is the error of a PIN that was tried too often.
	ErrPINLocked = fault.New(fault.Forbidden, "pin_locked",
		"The PIN is locked after too many wrong tries. A log-in with the password unlocks it.")
)

// ReadPIN reads a new PIN.
func ReadPIN(g *form.Group) string {
	pin := g.Verbatim("pin", form.NotBlank)
	switch {
	case pin == "":
	case len(pin) < MinPIN || len(pin) > MaxPIN || strings.Trim(pin, "0123456789") != "":
		g.AddError("pin", errPINDigits)
	case isSimple(pin):
		g.AddError("pin", errPINSimple)
	}
	return pin
}

// isSimple reports whether each digit is as far from the one before: 0000, 1234, 8765, 2468.
func isSimple(pin string) bool {
	for i := 2; i < len(pin); i++ {
		if pin[i]-pin[i-1] != pin[1]-pin[0] {
			return false
		}
	}
	return true
}

// SetPIN gives a seller a PIN in place of the present one, and unlocks it.
func SetPIN(tx *db.Tx, storeKey int64, id, hash string) error {
	n, err := tx.Exec(`UPDATE sellers SET pin_hash = ?, pin_tries = 0
		WHERE store_id = ? AND seller_id = ? AND active AND NOT deleted`, hash, storeKey, id)
	if err == nil && n == 0 {
		err = fault.ErrForbidden
	}
	return err
}

// PINTry is a try at a PIN that was counted.
type PINTry struct {
	Hash     string // of the PIN; empty if no active seller has the id and a PIN
	attempts int64  // this one included
}

// TryPIN counts a try at a PIN before it is checked, so that concurrent tries cannot exceed MaxPINTries. It returns
// ErrPINLocked for a PIN that is locked.
func TryPIN(tx *db.Tx, storeKey int64, id string) (PINTry, error) {
	try, found, err := db.One(tx, func(t *PINTry) []any { return []any{&t.Hash, &t.attempts} },
		`SELECT pin_hash, pin_tries FROM sellers WHERE store_id = ? AND seller_id = ? AND pin_hash <> ''
		AND active AND NOT deleted FOR UPDATE`, storeKey, id)
	if err != nil || !found {
		return PINTry{}, err
	}
	if try.attempts >= MaxPINTries {
		return PINTry{}, ErrPINLocked
	}
	try.attempts++
	_, err = tx.Exec(`UPDATE sellers SET pin_tries = ? WHERE store_id = ? AND seller_id = ?`,
		try.attempts, storeKey, id)
	return try, err
}

// UndoPINTry takes back a try that was not checked.
func UndoPINTry(tx *db.Tx, storeKey int64, id string) error {
	_, err := tx.Exec(`UPDATE sellers SET pin_tries = pin_tries - 1
		WHERE store_id = ? AND seller_id = ? AND pin_tries > 0`, storeKey, id)
	return err
}

// EnterByPIN records a log-in with a PIN, which forgives this try and those before it. same is false if the seller is
// no longer active or no longer has the PIN.
func EnterByPIN(tx *db.Tx, storeKey int64, id string, try PINTry) (same bool, err error) {
	n, err := tx.Exec(`UPDATE sellers SET last_login_at = ?,
		pin_tries = CASE WHEN pin_tries > ? THEN pin_tries - ? ELSE 0 END
		WHERE store_id = ? AND seller_id = ? AND pin_hash = ? AND active AND NOT deleted`,
		tx.Now().UnixMicro(), try.attempts, try.attempts, storeKey, id, try.Hash)
	return n == 1, err
}

// Named is a seller on the screen of a till.
type Named struct{ ID, FirstName, LastName string }

func (n *Named) row() []any { return []any{&n.ID, &n.FirstName, &n.LastName} }

// NamesWithPIN lists the active sellers of a store who have a PIN, by name, MaxNamesAtTill at most.
func NamesWithPIN(tx *db.Tx, storeKey int64) ([]Named, error) {
	return db.All(tx, (*Named).row, `SELECT seller_id, first_name, last_name FROM sellers
		WHERE store_id = ? AND pin_hash <> '' AND active AND NOT deleted
		ORDER BY first_name_order, last_name_order, seller_id LIMIT ?`, storeKey, MaxNamesAtTill)
}

// FindNames returns the names of sellers by id, of deleted ones too. Ids must be distinct.
func FindNames(tx *db.Tx, storeKey int64, ids ...string) (map[string]Named, error) {
	byID := make(map[string]Named, len(ids))
	return byID, tx.Run(db.Select((*Named).row, func(n Named) { byID[n.ID] = n },
		`SELECT seller_id, first_name, last_name FROM ? AS v (store, id) CROSS JOIN sellers s
		WHERE s.store_id = v.store AND s.seller_id = v.id`, tx.Among(storeKey, ids...)))
}

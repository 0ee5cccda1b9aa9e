package verification

import (
	"time"

	"punchcard/platform/db"
)

var tokenTable = db.NewTable("verification_tokens", "token_hash", func(t *token) db.Row {
	return db.Row{
		"token_hash", &t.hash, "purpose", &t.purpose, "role", &t.role, "store_id", &t.storeKey, "user_id", &t.userID,
		"contact_hash", &t.contactHash, "is_code", &t.isCode, "attempts", &t.attempts, "expires_at", db.Time(&t.expiresAt),
		"used_at", db.Time(&t.usedAt),
	}
})

func insertToken(tx *db.Tx, t *token) error {
	return tokenTable.Insert(tx, t)
}

func insertNewToken(tx *db.Tx, t *token) (inserted bool, err error) {
	return tokenTable.InsertNew(tx, t)
}

func findToken(tx *db.Tx, hash string) (token, bool, error) {
	return tokenTable.One(tx, `SELECT * FROM verification_tokens WHERE token_hash = ?`, hash)
}

// makeRoom deletes the oldest tokens of a user, so that one more makes LiveTokens.
func makeRoom(tx *db.Tx, userID, purpose string, isCode bool) error {
	_, err := tx.Exec(`DELETE FROM verification_tokens WHERE token_hash IN (SELECT token_hash FROM verification_tokens
		WHERE user_id = ? AND purpose = ? AND is_code = ? ORDER BY expires_at DESC LIMIT 1000 OFFSET ?)`,
		userID, purpose, isCode, LiveTokens-1)
	return err
}

// useToken marks a token as used. It returns false if it was used meanwhile.
func useToken(tx *db.Tx, hash string) (used bool, err error) {
	n, err := tx.Exec(`UPDATE verification_tokens SET used_at = ? WHERE token_hash = ? AND used_at IS NULL`,
		tx.ServerNow().UnixMicro(), hash)
	return n == 1, err
}

// countAttempt counts an attempt at the codes of a user. The count stops above CodeAttempts.
func countAttempt(tx *db.Tx, userID, purpose string) error {
	_, err := tx.Exec(`UPDATE verification_tokens SET attempts = attempts + 1
		WHERE user_id = ? AND purpose = ? AND is_code AND attempts <= ?`, userID, purpose, CodeAttempts)
	return err
}

// deleteTokens deletes the tokens of a user for a purpose, except the one with the hash keep.
func deleteTokens(tx *db.Tx, userID, purpose, keep string) error {
	_, err := tx.Exec(`DELETE FROM verification_tokens WHERE user_id = ? AND purpose = ? AND token_hash <> ?`,
		userID, purpose, keep)
	return err
}

func deleteAllTokens(tx *db.Tx, userID string) error {
	_, err := tx.Exec(`DELETE FROM verification_tokens WHERE user_id = ?`, userID)
	return err
}

// countLinks counts the links of a user that work now.
func countLinks(tx *db.Tx, userID string) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM verification_tokens
		WHERE user_id = ? AND NOT is_code AND used_at IS NULL AND expires_at > ?`, userID, tx.ServerNow().UnixMicro())
}

func deleteExpiredTokens(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("verification_tokens", "token_hash",
		db.NewSQL("expires_at <= ? ORDER BY expires_at", tx.ServerNow().UnixMicro()), deletedAtOnce)
}

// countRequest counts a request for a message, and returns how many there were since the count began.
func countRequest(tx *db.Tx, hash string) (sent int64, err error) {
	now := tx.ServerNow()
	return db.Value[int64](tx, `INSERT INTO verification_requests (request_hash, sent, began_at) VALUES (?, 1, ?)
		ON CONFLICT (request_hash) DO UPDATE SET
			sent = CASE WHEN verification_requests.began_at <= ? THEN 1 ELSE verification_requests.sent + 1 END,
			began_at = CASE WHEN verification_requests.began_at <= ? THEN ? ELSE verification_requests.began_at END
		RETURNING sent`,
		hash, now.UnixMicro(), now.Add(-RequestWindow).UnixMicro(), now.Add(-RequestWindow).UnixMicro(), now.UnixMicro())
}

func deleteOldRequests(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("verification_requests", "request_hash",
		db.NewSQL("began_at <= ? ORDER BY began_at", tx.ServerNow().Add(-RequestWindow).UnixMicro()), deletedAtOnce)
}

// Change is a new e-mail address or phone of a customer that waits for its confirmation.
type Change struct {
	storeKey    int64
	customerID  string
	Field       string // email or phone
	Value       string
	RequestedAt time.Time
}

var changeTable = db.NewTable("contact_changes", "store_id, customer_id, field", func(c *Change) db.Row {
	return db.Row{
		"store_id", &c.storeKey, "customer_id", &c.customerID, "field", &c.Field, "value", &c.Value,
		"requested_at", db.Time(&c.RequestedAt),
	}
})

func putChange(tx *db.Tx, c *Change) error {
	return changeTable.Put(tx, c)
}

// changesOf lists the contacts of a customer that wait for confirmation.
func changesOf(tx *db.Tx, storeKey int64, customerID string) ([]Change, error) {
	return changeTable.All(tx, `SELECT * FROM contact_changes
		WHERE store_id = ? AND customer_id = ? AND requested_at > ? ORDER BY field`,
		storeKey, customerID, tx.ServerNow().Add(-ChangeLife).UnixMicro())
}

func deleteChange(tx *db.Tx, c *Change) error {
	_, err := tx.Exec(`DELETE FROM contact_changes WHERE store_id = ? AND customer_id = ? AND field = ?`,
		c.storeKey, c.customerID, c.Field)
	return err
}

func deleteChanges(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM contact_changes WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

func deleteOldChanges(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("contact_changes", "store_id, customer_id, field",
		db.NewSQL("requested_at <= ? ORDER BY requested_at", tx.ServerNow().Add(-ChangeLife).UnixMicro()), deletedAtOnce)
}

// putAccessChange records a change that begins now. A contact that is replaced again counts as replaced now.
func putAccessChange(tx *db.Tx, storeKey int64, customerID, field, former string) error {
	return accessTable.Put(tx, &accessChange{storeKey, customerID, field, former, tx.ServerNow()})
}

type accessChange struct {
	storeKey                  int64
	customerID, field, former string
	changedAt                 time.Time
}

var accessTable = db.NewTable("access_changes", "store_id, customer_id, field, former", func(c *accessChange) db.Row {
	return db.Row{
		"store_id", &c.storeKey, "customer_id", &c.customerID, "field", &c.field, "former", &c.former,
		"changed_at", db.Time(&c.changedAt),
	}
})

// lastAccessChange returns when one of the fields was changed last, if that was within Rest.
func lastAccessChange(tx *db.Tx, storeKey int64, customerID string, fields ...string) (time.Time, error) {
	q := db.NewSQL(`SELECT COALESCE(MAX(changed_at), 0) FROM access_changes WHERE store_id = ? AND customer_id = ?`,
		storeKey, customerID)
	q.And(`field IN ?`, db.List(fields)).And(`changed_at > ?`, tx.ServerNow().Add(-Rest).UnixMicro())
	last, err := db.Value[int64](tx, q.Text(), q.Args()...)
	if err != nil || last == 0 {
		return time.Time{}, err
	}
	return time.UnixMicro(last), nil
}

// formerContact is a contact that staff replaced.
type formerContact struct{ field, contact string }

// formerContacts lists the contacts of a customer that staff replaced, the latest first.
func formerContacts(tx *db.Tx, storeKey int64, customerID string) ([]formerContact, error) {
	return db.All(tx, func(f *formerContact) []any { return []any{&f.field, &f.contact} },
		`SELECT field, former FROM access_changes WHERE store_id = ? AND customer_id = ? AND former <> ''
		AND changed_at > ? ORDER BY changed_at DESC, field LIMIT ?`,
		storeKey, customerID, tx.ServerNow().Add(-FormerContactLife).UnixMicro(), FormerContacts)
}

func deleteAccessChanges(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM access_changes WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

func deleteOldAccessChanges(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("access_changes", "store_id, customer_id, field, former",
		db.NewSQL("changed_at <= ? ORDER BY changed_at", tx.ServerNow().Add(-FormerContactLife).UnixMicro()), deletedAtOnce)
}

package factor

import (
	"punchcard/platform/db"
)

const totpColumns = "store_id, user_id, role, secret, last_step, created_at, confirmed_at, tries, tried_at"

func (t *TOTP) row() []any {
	return []any{
		&t.StoreKey, &t.ID, &t.Role, &t.secret, &t.lastStep, db.Time(&t.CreatedAt), db.Time(&t.ConfirmedAt),
		&t.attempts, db.Time(&t.triedAt),
	}
}

// putTOTP replaces a secret that is not confirmed. It returns false if there is a confirmed one.
func putTOTP(tx *db.Tx, t *TOTP) (put bool, err error) {
	n, err := tx.Exec(`INSERT INTO factor_totps (`+totpColumns+`) VALUES (?, ?, ?, ?, 0, ?, NULL, 0, NULL)
		ON CONFLICT (store_id, user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
		WHERE factor_totps.confirmed_at IS NULL`, t.StoreKey, t.ID, t.Role, t.secret, db.Time(&t.CreatedAt))
	return n == 1, err
}

func findTOTP(tx *db.Tx, a Account) (TOTP, bool, error) {
	return db.One(tx, (*TOTP).row, `SELECT `+totpColumns+` FROM factor_totps WHERE store_id = ? AND user_id = ?`,
		a.StoreKey, a.ID)
}

func lockTOTP(tx *db.Tx, a Account) (TOTP, bool, error) {
	return db.One(tx, (*TOTP).row, `SELECT `+totpColumns+` FROM factor_totps
		WHERE store_id = ? AND user_id = ? FOR UPDATE`, a.StoreKey, a.ID)
}

// FindTOTP returns the app of an account, if it is in use.
func FindTOTP(tx *db.Tx, a Account) (TOTP, bool, error) {
	t, found, err := findTOTP(tx, a)
	return t, found && !t.ConfirmedAt.IsZero(), err
}

// confirmTOTP returns false if another call replaced or confirmed the secret.
func confirmTOTP(tx *db.Tx, t *TOTP, step int64) (confirmed bool, err error) {
	n, err := tx.Exec(`UPDATE factor_totps SET confirmed_at = ?, last_step = ?
		WHERE store_id = ? AND user_id = ? AND confirmed_at IS NULL AND secret = ?`,
		tx.ServerNow().UnixMicro(), step, t.StoreKey, t.ID, t.secret)
	return n == 1, err
}

// useStep returns false if a code of the step, or of a later one, was used before.
func useStep(tx *db.Tx, a Account, step int64) (used bool, err error) {
	n, err := tx.Exec(`UPDATE factor_totps SET last_step = ?, tries = 0, tried_at = NULL
		WHERE store_id = ? AND user_id = ? AND confirmed_at IS NOT NULL AND last_step < ?`, step, a.StoreKey, a.ID, step)
	return n == 1, err
}

// RemoveTOTP removes the authenticator app of an account, and reports whether there was one.
func RemoveTOTP(tx *db.Tx, a Account) (removed bool, err error) {
	n, err := tx.Exec(`DELETE FROM factor_totps WHERE store_id = ? AND user_id = ?`, a.StoreKey, a.ID)
	return n > 0, err
}

// CodesLeft returns how many recovery codes an account has left.
func CodesLeft(tx *db.Tx, a Account) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM factor_recovery_codes WHERE store_id = ? AND user_id = ?`,
		a.StoreKey, a.ID)
}

func deleteCodes(tx *db.Tx, a Account) error {
	_, err := tx.Exec(`DELETE FROM factor_recovery_codes WHERE store_id = ? AND user_id = ?`, a.StoreKey, a.ID)
	return err
}

const passkeyColumns = "store_id, user_id, passkey_id, role, name, credential_id, rp_id, public_key, sign_count, " +
	"backup_eligible, created_at, last_used_at"

func (p *Passkey) row() []any {
	return []any{
		&p.StoreKey, &p.Account.ID, &p.ID, &p.Role, &p.Name, &p.credentialID, &p.rpID, &p.publicKey, &p.signCount,
		&p.backupEligible, db.Time(&p.CreatedAt), db.Time(&p.LastUsedAt),
	}
}

func insertPasskey(tx *db.Tx, p *Passkey) (inserted bool, err error) {
	return tx.InsertNew("factor_passkeys", passkeyColumns, p.row())
}

// Passkeys lists the passkeys of an account, the oldest first.
func Passkeys(tx *db.Tx, a Account) ([]Passkey, error) {
	return db.All(tx, (*Passkey).row, `SELECT `+passkeyColumns+` FROM factor_passkeys
		WHERE store_id = ? AND user_id = ? ORDER BY passkey_id LIMIT ?`, a.StoreKey, a.ID, MaxPasskeys)
}

// lockPasskey reads the passkey of a credential with a row lock, which protects its counter.
func lockPasskey(tx *db.Tx, credentialID string) (Passkey, bool, error) {
	return db.One(tx, (*Passkey).row,
		`SELECT `+passkeyColumns+` FROM factor_passkeys WHERE credential_id = ? FOR UPDATE`, credentialID)
}

func notePasskey(tx *db.Tx, p *Passkey) error {
	_, err := tx.Exec(`UPDATE factor_passkeys SET sign_count = ?, last_used_at = ?
		WHERE store_id = ? AND user_id = ? AND passkey_id = ?`,
		p.signCount, tx.ServerNow().UnixMicro(), p.StoreKey, p.Account.ID, p.ID)
	return err
}

// RenamePasskey reports whether the account has the passkey.
func RenamePasskey(tx *db.Tx, a Account, id, name string) (renamed bool, err error) {
	n, err := tx.Exec(`UPDATE factor_passkeys SET name = ? WHERE store_id = ? AND user_id = ? AND passkey_id = ?`,
		name, a.StoreKey, a.ID, id)
	return n > 0, err
}

// RemovePasskey reports whether the account had the passkey.
func RemovePasskey(tx *db.Tx, a Account, id string) (removed bool, err error) {
	n, err := tx.Exec(`DELETE FROM factor_passkeys WHERE store_id = ? AND user_id = ? AND passkey_id = ?`,
		a.StoreKey, a.ID, id)
	return n > 0, err
}

const challengeColumns = "challenge_hash, purpose, role, store_id, user_id, password_sum, attempts, expires_at"

func (c *Challenge) row() []any {
	return []any{
		&c.hash, &c.Purpose, &c.Role, &c.StoreKey, &c.ID, &c.PasswordSum, &c.attempts, db.Time(&c.expiresAt),
	}
}

func insertChallenge(tx *db.Tx, c *Challenge) error {
	return tx.Insert("factor_challenges", challengeColumns, "", c.row())
}

func takeChallenge(tx *db.Tx, purpose Purpose, hash string) (Challenge, bool, error) {
	return db.One(tx, (*Challenge).row, `DELETE FROM factor_challenges
		WHERE challenge_hash = ? AND purpose = ? AND expires_at > ? RETURNING `+challengeColumns,
		hash, purpose, tx.ServerNow().UnixMicro())
}

func countAttempt(tx *db.Tx, hash string) (Challenge, bool, error) {
	return db.One(tx, (*Challenge).row, `UPDATE factor_challenges SET attempts = attempts + 1
		WHERE challenge_hash = ? AND purpose = ? AND expires_at > ? AND attempts < ? RETURNING `+challengeColumns,
		hash, ToLogIn, tx.ServerNow().UnixMicro(), LoginAttempts)
}

// findLogin returns a log-in that waits for a factor.
func findLogin(tx *db.Tx, hash string) (Challenge, bool, error) {
	return db.One(tx, (*Challenge).row, `SELECT `+challengeColumns+` FROM factor_challenges
		WHERE challenge_hash = ? AND purpose = ? AND expires_at > ? AND attempts < ?`,
		hash, ToLogIn, tx.ServerNow().UnixMicro(), LoginAttempts)
}

func deleteExpired(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("factor_challenges", "challenge_hash",
		db.NewSQL("expires_at <= ? ORDER BY expires_at", tx.ServerNow().UnixMicro()), deletedAtOnce)
}

const ruleColumns = "store_id, role_id, grace_days, since"

func (r *Rule) row() []any { return []any{&r.StoreKey, &r.RoleID, &r.GraceDays, db.Time(&r.Since)} }

func putRule(tx *db.Tx, r *Rule) error {
	return tx.Insert("factor_rules", ruleColumns,
		`ON CONFLICT (store_id, role_id) DO UPDATE SET grace_days = excluded.grace_days`, r.row())
}

// FindRule returns the rule of a role or a store, and whether there is one.
func FindRule(tx *db.Tx, storeKey, roleID int64) (Rule, bool, error) {
	return db.One(tx, (*Rule).row,
		`SELECT `+ruleColumns+` FROM factor_rules WHERE store_id = ? AND role_id = ?`, storeKey, roleID)
}

// RemoveRule makes factors optional again.
func RemoveRule(tx *db.Tx, storeKey, roleID int64) error {
	_, err := tx.Exec(`DELETE FROM factor_rules WHERE store_id = ? AND role_id = ?`, storeKey, roleID)
	return err
}

package factor

import (
	"punchcard/platform/db"
)

var totpTable = db.NewTable("factor_totps", "store_id, user_id", func(t *TOTP) db.Row {
	return db.Row{
		"store_id", &t.StoreKey, "user_id", &t.ID, "role", &t.Role, "secret", &t.secret, "last_step", &t.lastStep,
		"created_at", db.Time(&t.CreatedAt), "confirmed_at", db.Time(&t.ConfirmedAt), "tries", &t.attempts,
		"tried_at", db.Time(&t.triedAt),
	}
})

// putTOTP replaces a secret that is not confirmed. It returns false if there is a confirmed one.
func putTOTP(tx *db.Tx, t *TOTP) (put bool, err error) {
	n, err := tx.Exec(`INSERT INTO factor_totps
			(store_id, user_id, role, secret, last_step, created_at, confirmed_at, tries, tried_at)
		VALUES (?, ?, ?, ?, 0, ?, NULL, 0, NULL)
		ON CONFLICT (store_id, user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
		WHERE factor_totps.confirmed_at IS NULL`, t.StoreKey, t.ID, t.Role, t.secret, db.Time(&t.CreatedAt))
	return n == 1, err
}

func findTOTP(tx *db.Tx, a Account) (TOTP, bool, error) {
	return totpTable.One(tx, `SELECT * FROM factor_totps WHERE store_id = ? AND user_id = ?`,
		a.StoreKey, a.ID)
}

func lockTOTP(tx *db.Tx, a Account) (TOTP, bool, error) {
	return totpTable.One(tx, `SELECT * FROM factor_totps
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

var passkeyTable = db.NewTable("factor_passkeys", "store_id, user_id, passkey_id", func(p *Passkey) db.Row {
	return db.Row{
		"store_id", &p.StoreKey, "user_id", &p.Account.ID, "passkey_id", &p.ID, "role", &p.Role, "name", &p.Name,
		"credential_id", &p.credentialID, "rp_id", &p.rpID, "public_key", &p.publicKey, "sign_count", &p.signCount,
		"backup_eligible", &p.backupEligible, "created_at", db.Time(&p.CreatedAt), "last_used_at", db.Time(&p.LastUsedAt),
	}
})

func insertPasskey(tx *db.Tx, p *Passkey) (inserted bool, err error) {
	return passkeyTable.InsertNew(tx, p)
}

// Passkeys lists the passkeys of an account, the oldest first.
func Passkeys(tx *db.Tx, a Account) ([]Passkey, error) {
	return passkeyTable.All(tx, `SELECT * FROM factor_passkeys
		WHERE store_id = ? AND user_id = ? ORDER BY passkey_id LIMIT ?`, a.StoreKey, a.ID, MaxPasskeys)
}

// lockPasskey reads the passkey of a credential with a row lock, which protects its counter.
func lockPasskey(tx *db.Tx, credentialID string) (Passkey, bool, error) {
	return passkeyTable.One(tx, `SELECT * FROM factor_passkeys WHERE credential_id = ? FOR UPDATE`, credentialID)
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

var challengeTable = db.NewTable("factor_challenges", "challenge_hash", func(c *Challenge) db.Row {
	return db.Row{
		"challenge_hash", &c.hash, "purpose", &c.Purpose, "role", &c.Role, "store_id", &c.StoreKey, "user_id", &c.ID,
		"password_sum", &c.PasswordSum, "attempts", &c.attempts, "expires_at", db.Time(&c.expiresAt),
	}
})

func insertChallenge(tx *db.Tx, c *Challenge) error {
	return challengeTable.Insert(tx, c)
}

func takeChallenge(tx *db.Tx, purpose Purpose, hash string) (Challenge, bool, error) {
	return challengeTable.One(tx, `DELETE FROM factor_challenges
		WHERE challenge_hash = ? AND purpose = ? AND expires_at > ? RETURNING *`,
		hash, purpose, tx.ServerNow().UnixMicro())
}

func countAttempt(tx *db.Tx, hash string) (Challenge, bool, error) {
	return challengeTable.One(tx, `UPDATE factor_challenges SET attempts = attempts + 1
		WHERE challenge_hash = ? AND purpose = ? AND expires_at > ? AND attempts < ? RETURNING *`,
		hash, ToLogIn, tx.ServerNow().UnixMicro(), LoginAttempts)
}

// findLogin returns a log-in that waits for a factor.
func findLogin(tx *db.Tx, hash string) (Challenge, bool, error) {
	return challengeTable.One(tx, `SELECT * FROM factor_challenges
		WHERE challenge_hash = ? AND purpose = ? AND expires_at > ? AND attempts < ?`,
		hash, ToLogIn, tx.ServerNow().UnixMicro(), LoginAttempts)
}

func deleteExpired(tx *db.Tx) (int64, error) {
	return tx.DeleteSome("factor_challenges", "challenge_hash",
		db.NewSQL("expires_at <= ? ORDER BY expires_at", tx.ServerNow().UnixMicro()), deletedAtOnce)
}

var ruleTable = db.NewConfiguration("factor_rules", "store_id, role_id", func(r *Rule) db.Row {
	return db.Row{
		"store_id", &r.StoreKey, "role_id", &r.RoleID, "grace_days", &r.GraceDays, "since", db.Time(&r.Since),
	}
})

func putRule(tx *db.Tx, r *Rule) error {
	return ruleTable.InsertOr(tx, `ON CONFLICT (store_id, role_id) DO UPDATE SET grace_days = excluded.grace_days`, r)
}

// FindRule returns the rule of a role or a store, and whether there is one.
func FindRule(tx *db.Tx, storeKey, roleID int64) (Rule, bool, error) {
	return ruleTable.One(tx, `SELECT * FROM factor_rules WHERE store_id = ? AND role_id = ?`, storeKey, roleID)
}

// RemoveRule makes factors optional again.
func RemoveRule(tx *db.Tx, storeKey, roleID int64) error {
	_, err := tx.Exec(`DELETE FROM factor_rules WHERE store_id = ? AND role_id = ?`, storeKey, roleID)
	return err
}

// Package factor has what people prove themselves by besides a password: passkeys, codes of an authenticator app, and
// recovery codes: docs/behaviour/second-factor.md. Package auth has its endpoints.
package factor

import (
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const (
	// ChallengeLife is how long a challenge of a passkey, or a log-in that waits for a factor, can be answered.
	ChallengeLife = 5 * time.Minute
	// LoginAttempts is how many factors may be tried for one log-in before the password is asked again.
	LoginAttempts = 5
	// RecoveryCodes is how many recovery codes are made at once.
	RecoveryCodes = 10
	// MaxPasskeys is how many passkeys an account can have.
	MaxPasskeys = 20
	// MaxNameLength is the maximal length of a passkey's name, in characters.
	MaxNameLength = 100
	// MaxGraceDays is the longest grace period, in days.
	MaxGraceDays = 365

	deletedAtOnce = 1000 // challenges that one transaction of the job deletes
)

// Errors of factors. A wrong factor does not tell what was wrong with it.
var (
	ErrWrong = fault.New(fault.Unauthenticated, "wrong_second_factor",
		"The second factor is wrong, or was used already.")
	ErrTOTPExists = fault.New(fault.Refused, "authenticator_app_exists",
		"There is an authenticator app already. Remove it first.")
	ErrNoTOTP = fault.New(fault.Refused, "authenticator_app_not_begun",
		"Begin with the set-up of the authenticator app.")
	ErrTooManyPasskeys = fault.New(fault.Refused, "too_many_passkeys", "The account has 20 passkeys already.")
	ErrPasskeyExists   = fault.New(fault.Refused, "passkey_exists", "This passkey exists already.")
)

// Account is the owner of factors.
type Account struct {
	Role     access.Role
	StoreKey int64 // 0 for administrators
	ID       string
}

// Has reports whether the account has a second factor. Recovery codes are none by themselves.
func Has(tx *db.Tx, a Account) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT
		(SELECT COUNT(*) FROM factor_totps WHERE store_id = ? AND user_id = ? AND confirmed_at IS NOT NULL) +
		(SELECT COUNT(*) FROM factor_passkeys WHERE store_id = ? AND user_id = ?)`, a.StoreKey, a.ID, a.StoreKey, a.ID)
	return n > 0, err
}

// RemoveAll removes all factors of an account, its recovery codes, and what waits for an answer or counts.
func RemoveAll(tx *db.Tx, storeKey int64, userID string) error {
	for _, table := range []string{
		"factor_totps", "factor_recovery_codes", "factor_passkeys", "factor_challenges", "factor_points",
	} {
		if _, err := tx.Exec(`DELETE FROM `+table+` WHERE store_id = ? AND user_id = ?`, storeKey, userID); err != nil {
			return err
		}
	}
	return nil
}

// Tidy removes the recovery codes of an account that has no factor left.
func Tidy(tx *db.Tx, a Account) error {
	has, err := Has(tx, a)
	if err != nil || has {
		return err
	}
	return deleteCodes(tx, a)
}

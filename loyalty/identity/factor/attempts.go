package factor

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const (
	// WrongCodes is how many wrong codes of an authenticator app lock the codes of the account, wherever they come from.
	WrongCodes = 10
	// WrongCodesWindow is the time in which they count, from the first one, and after which the lock ends.
	WrongCodesWindow = time.Hour
)

// ErrLocked refuses all codes of an account after WrongCodes. Passkeys and recovery codes work.
var ErrLocked = fault.New(fault.Limited, "second_factor_codes_locked",
	"There were too many wrong codes. Use a passkey or a recovery code, or try again in an hour.")

// TryCode checks a code without using it, and counts a wrong one. The transaction must be committed if the code is
// refused. locked reports that this was the one that locks the codes of the account.
func TryCode(tx *db.Tx, a Account, code string) (refusal error, locked bool, err error) {
	t, found, err := lockTOTP(tx, a)
	if err != nil || !found || t.ConfirmedAt.IsZero() {
		return ErrWrong, false, err
	}
	now := tx.ServerNow()
	if now.Sub(t.triedAt).Abs() >= WrongCodesWindow {
		t.attempts, t.triedAt = 0, now
	}
	if t.attempts >= WrongCodes {
		return ErrLocked.After(t.triedAt.Add(WrongCodesWindow).Sub(now)), false, nil
	}
	if step, matches := t.stepOf(code, now); matches && step > t.lastStep {
		return nil, false, nil
	}
	t.attempts++
	_, err = tx.Exec(`UPDATE factor_totps SET tries = ?, tried_at = ? WHERE store_id = ? AND user_id = ?`,
		t.attempts, db.Time(&t.triedAt), a.StoreKey, a.ID)
	return ErrWrong, t.attempts == WrongCodes, err
}

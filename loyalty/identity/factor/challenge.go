package factor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"time"

	"punchcard/platform/db"
)

// Purpose names the call that may answer a challenge.
type Purpose string

// The purposes.
const (
	ToLogIn  Purpose = "login"   // a log-in with the right password that waits for a factor
	ToEnter  Purpose = "passkey" // a log-in with a passkey alone
	ToUse    Purpose = "use"     // a passkey of a known account as second factor
	ToEnroll Purpose = "add"     // a new passkey
)

const challengeBytes = 32

// Challenge waits for one answer on any node.
type Challenge struct {
	hash string
	Purpose
	Account            // empty for ToEnter
	PasswordSum string // see SumPassword
	attempts    int64  // of ToLogIn
	expiresAt   time.Time
}

// Issue stores a challenge and returns its text. The database stores only a hash.
func Issue(tx *db.Tx, c Challenge) (text string, err error) {
	random := make([]byte, challengeBytes)
	_, _ = rand.Read(random) // never returns an error
	text = base64.RawURLEncoding.EncodeToString(random)
	c.hash, c.expiresAt = sumOf(text), tx.ServerNow().Add(ChallengeLife)
	return text, insertChallenge(tx, &c)
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// SumPassword makes a text by which a log-in notices that the password was changed meanwhile.
func SumPassword(passwordHash string) string { return sumOf("password " + passwordHash) }

// Take ends a challenge and returns it. The error is ErrWrong for one that is unknown, expired or taken.
func Take(tx *db.Tx, purpose Purpose, text string) (Challenge, error) {
	return alive(takeChallenge(tx, purpose, sumOf(text)))
}

// Attempt counts an attempt at a log-in that waits for a factor. The error is ErrWrong if it is unknown, expired or
// finished, or had LoginAttempts.
func Attempt(tx *db.Tx, text string) (Challenge, error) {
	return alive(countAttempt(tx, sumOf(text)))
}

func alive(c Challenge, found bool, err error) (Challenge, error) {
	if err == nil && !found {
		err = ErrWrong
	}
	return c, err
}

// DeleteExpired returns the job that deletes expired challenges.
func DeleteExpired(d *db.DB) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (int64, error) { return d.WriteSteps(ctx, deleteExpired) }
}

// Waiting returns a log-in that waits for a factor. The error is ErrWrong if there is none.
func Waiting(tx *db.Tx, text string) (Challenge, error) { return alive(findLogin(tx, sumOf(text))) }

// Package verification lets people prove who they are by a secret that is sent to them: a link with a token, a
// six-digit code, or a temporary password. It activates accounts, resets forgotten passwords and confirms new e-mail
// addresses and phones: docs/behaviour/accounts.md.
package verification

import (
	"context"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/limit"
)

const (
	// TokenLife is how long the token of a link is valid after it was sent.
	TokenLife = time.Hour
	// CodeLife is the same of a six-digit code.
	CodeLife = 30 * time.Minute
	// CodeAttempts is how many codes a user may try before those that were sent become invalid.
	CodeAttempts = 5
	// LiveTokens is how many tokens of one purpose a user has at most, and how many codes. A new one replaces the oldest.
	LiveTokens = 5
	// MessagesPerHour is how many messages of one purpose are sent to one account within RequestWindow.
	MessagesPerHour = 5
	// RequestWindow is the time in which messages are counted.
	RequestWindow = time.Hour
	// ChangeLife is how long a new contact waits for its confirmation.
	ChangeLife = 24 * time.Hour
	// Rest is how long a contact that staff entered gets no link for a new password, if the customer has chosen one, and
	// how long a customer gives no points away after such a change and after a password by a link.
	Rest = 24 * time.Hour
	// FormerContactLife is how long passwords by a link are reported to a contact that staff replaced.
	FormerContactLife = 30 * 24 * time.Hour
	// FormerContacts is how many such contacts get the report, the latest ones.
	FormerContacts = 5

	deletedAtOnce = 1000 // rows that one transaction of the job deletes
)

// Config configures a Verifier.
type Config struct {
	Requests   *limit.Limiter // messages that one client address may ask for
	Codes      *limit.Limiter // codes that one client address may try
	StoreCodes *limit.Limiter // codes that all clients of a store may try without naming the phone
}

// Verifier serves the endpoints. It is safe for concurrent use.
type Verifier struct{ Config }

// DeleteExpired returns the job that deletes expired tokens, old counts of requests, contacts that were not confirmed
// in time, and old changes by staff.
func DeleteExpired(d *db.DB) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (deleted int64, err error) {
		for _, delete := range []func(tx *db.Tx) (int64, error){
			deleteExpiredTokens, deleteOldRequests, deleteOldChanges, deleteOldAccessChanges,
		} {
			n, err := d.WriteSteps(ctx, delete)
			deleted += n
			if err != nil {
				return deleted, err
			}
		}
		return deleted, nil
	}
}

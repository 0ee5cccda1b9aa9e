package auth

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"punchcard/api/access"
	"punchcard/platform/db"
)

// accessMargin is added to the lifetime of an access token, which is signed a little after the operation that
// stores the session, by nodes whose clocks differ a little.
const accessMargin = time.Minute

// session is a log-in with all the tokens that come from it.
type session struct {
	id          string
	role        access.Role
	userID      string
	storeKey    int64     // 0 for administrators
	network     int64     // networkTag of the client that logged in or refreshed last
	accessUntil time.Time // its last access token has expired by then
	expiresAt   time.Time // its last token of either kind has expired by then
}

// startSession stores a new session of the user and returns its first refresh token.
func (a *Auth) startSession(tx *db.Tx, u *user, network string) (refreshToken string, err error) {
	s := session{id: tx.NewID(), role: u.Role, userID: u.ID, storeKey: u.StoreKey}
	a.extend(tx, &s, network)
	if err := insertSession(tx, &s); err != nil {
		return "", err
	}
	u.Session = s.id
	return a.newRefreshToken(tx, s.id)
}

// extend makes the session last as long as the pair of tokens that is issued now, and no shorter than before.
func (a *Auth) extend(tx *db.Tx, s *session, network string) {
	s.network = networkTag(s.userID, network)
	s.accessUntil = latest(s.accessUntil, tx.ServerNow().Add(a.config.TokenLife+accessMargin))
	s.expiresAt = latest(s.expiresAt, latest(s.accessUntil, tx.ServerNow().Add(a.config.RefreshLife)))
}

func latest(one, other time.Time) time.Time {
	if one.After(other) {
		return one
	}
	return other
}

// networkTag is what a session remembers of the client's network: enough to recognise it, too little to find
// it out.
func networkTag(userID, network string) int64 {
	sum := sha256.Sum256([]byte(userID + " " + network))
	return int64(binary.BigEndian.Uint16(sum[:]))
}

// End ends the sessions of a user except the one named by keep, which may be empty. All their refresh tokens
// are deleted, those of keep too. Once that is durable, the access tokens of the ended sessions are refused:
// at once on this node, within Config.Recheck on the others.
func (a *Auth) End(tx *db.Tx, userID, keep string) error {
	if err := Revoke(tx, userID); err != nil {
		return err
	}
	tx.AfterCommit(func() { a.Forget(userID) })
	return endSessions(tx, userID, keep)
}

// Revoke deletes all refresh tokens of a user. Access tokens stay valid until they expire.
func Revoke(tx *db.Tx, userID string) error {
	// A refresh in progress holds the lock of its session. The statement after this one sees the token it
	// added.
	if err := lockSessions(tx, userID); err != nil {
		return err
	}
	return deleteRefreshTokens(tx, userID)
}

// endReused ends a session one of whose used refresh tokens came again: a client that still has it is a
// thief, or was robbed.
func (a *Auth) endReused(tx *db.Tx, s *session) error {
	if err := endSession(tx, s.id); err != nil {
		return err
	}
	tx.AfterCommit(func() {
		a.reused.Add(1)
		a.Forget(s.userID)
		a.db.Log().Warn("a used refresh token came again: its session is ended",
			"role", s.role, "user", s.userID, "session", s.id)
	})
	return deleteTokensOf(tx, s.id)
}

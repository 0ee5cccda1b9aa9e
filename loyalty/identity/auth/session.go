package auth

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
)

// accessMargin is added to the lifetime of access tokens, because a token is signed shortly after its session is
// stored, and clocks of nodes differ.
const accessMargin = time.Minute

// session is a log-in, with all tokens that are issued for it.
type session struct {
	id          string
	role        access.Role
	userID      string
	storeKey    int64     // 0 for administrators
	network     int64     // networkTag of the client at the log-in or the last refresh
	accessUntil time.Time // when its last access token has expired
	expiresAt   time.Time // when its last token of either kind has expired
	startedAt   time.Time
	usedAt      time.Time // of the log-in or the last refresh
	agent       string    // User-Agent of that request, maxAgent bytes at most
	address     string    // from which that request came; empty if not known
	browser     bool      // a web app keeps it in a cookie
	factorAt    time.Time // when a second factor was used last; zero if never
	provider    Provider  // zero if the user was identified by a password
	tillID      string    // of a seller who gave a PIN there; empty for others
}

// maxAgent limits the User-Agent that is stored, in bytes.
const maxAgent = 255

// client is where the request for a token comes from.
type client struct {
	network, agent, address string

	browser bool // a web app that keeps the session in a cookie
}

func clientOf(c *api.Call) client {
	agent := keytext.Clean(c.Header.Get("User-Agent"))
	from := client{network: c.ClientSite(), agent: strings.ToValidUTF8(agent[:min(len(agent), maxAgent)], "")}
	if address, known := c.ClientIP(); known {
		from.address = address.String()
	}
	return from
}

// startSession stores a new session of the user, with what is known of how it begins, and returns its first refresh
// token.
func (a *Auth) startSession(tx *db.Tx, u *user, from client, s session) (refreshToken string, err error) {
	s.id, s.role, s.userID, s.storeKey, s.startedAt = tx.NewID(), u.Role, u.ID, u.StoreKey, tx.ServerNow()
	a.extend(tx, &s, from)
	if err := insertSession(tx, &s); err != nil {
		return "", err
	}
	u.Session, u.PIN = s.id, s.tillID != ""
	return a.newRefreshToken(tx, &s)
}

// extend makes the session last at least as long as a pair of tokens that is issued now.
func (a *Auth) extend(tx *db.Tx, s *session, from client) {
	s.browser = s.browser || from.browser
	s.network, s.usedAt = networkTag(s.userID, from.network), tx.ServerNow()
	s.agent, s.address = from.agent, from.address
	access, refresh := a.lives(s.tillID != "")
	s.accessUntil = latest(s.accessUntil, tx.ServerNow().Add(access+accessMargin))
	s.expiresAt = latest(s.expiresAt, latest(s.accessUntil, tx.ServerNow().Add(refresh)))
}

func latest(one, other time.Time) time.Time {
	if one.After(other) {
		return one
	}
	return other
}

// networkTag is a short hash of the client's network: enough to recognize the network, too little to reveal it.
func networkTag(userID, network string) int64 {
	sum := sha256.Sum256([]byte(userID + " " + network))
	return int64(binary.BigEndian.Uint16(sum[:]))
}

// End ends all sessions of a user except the one with the id keep, which may be empty. It deletes all refresh
// tokens, those of keep included. After the commit, access tokens of the ended sessions are refused, as with Forget.
func (a *Auth) End(tx *db.Tx, userID, keep string) error {
	tx.AfterCommit(func() { a.Forget(userID) })
	return EndAll(tx, userID, keep)
}

// EndAll is End for programs that serve nobody. Servers refuse the access tokens within Config.Recheck.
func EndAll(tx *db.Tx, userID, keep string) error {
	if err := Revoke(tx, userID); err != nil {
		return err
	}
	return endSessions(tx, userID, keep)
}

// Revoke deletes all refresh tokens of a user. Access tokens stay valid until they expire.
func Revoke(tx *db.Tx, userID string) error {
	// A concurrent refresh holds the lock of its session, so the next statement sees the token that it added.
	if err := lockSessions(tx, userID); err != nil {
		return err
	}
	return deleteRefreshTokens(tx, userID)
}

// endOne ends a locked session of a user, like End.
func (a *Auth) endOne(tx *db.Tx, s *session) error {
	if err := endSession(tx, s.id); err != nil {
		return err
	}
	tx.AfterCommit(func() { a.Forget(s.userID) })
	return deleteTokensOf(tx, s.id)
}

// endReused ends a session whose refresh token was used a second time. One of the two clients has stolen it.
func (a *Auth) endReused(tx *db.Tx, s *session) error {
	tx.AfterCommit(func() {
		a.reused.Add(1)
		a.db.Log().Warn("refresh token reused, session ended",
			"role", s.role, "user", s.userID, "session", s.id)
	})
	return a.endOne(tx, s)
}

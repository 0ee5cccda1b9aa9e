package auth

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

const refreshBytes = 32 // random bytes; a token is twice as many hexadecimal digits

// pair is the response to a log-in and to a refresh.
type pair struct {
	Token        string `json:"token"`
	RefreshToken string `json:"refresh_token"`
	Error        string `json:"error,omitempty"`
}

// signed returns the pair with an access token.
func (a *Auth) signed(c *api.Call, u *user, p pair) (_ pair, err error) {
	p.Token, err = a.Issue(c.Context(), &u.Caller, u.lastLoginAt)
	return p, err
}

// newRefreshToken creates a refresh token of a session. The database stores only its hash.
func (a *Auth) newRefreshToken(tx *db.Tx, s *session) (string, error) {
	random := make([]byte, refreshBytes)
	_, _ = rand.Read(random) // never returns an error
	token := hex.EncodeToString(random)
	_, life := a.lives(s.tillID != "")
	return token, insertRefreshToken(tx, &refreshToken{
		hash: hashRefreshToken(token), sessionID: s.id, expiresAt: tx.ServerNow().Add(life),
	})
}

// hashRefreshToken needs neither a salt nor a slow hash, because tokens are random.
func hashRefreshToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func readRefresh(g *form.Group) string { return g.Verbatim("refresh_token") }

// exchanged is the result of the use of a refresh token.
type exchanged struct {
	user   user
	next   string // the new refresh token
	reused bool   // the token was first used more than RefreshOverlap ago, so its session was ended
}

// refresh exchanges a refresh token for a new pair of the same session.
func (a *Auth) refresh(c *api.Call, token string) (pair, error) {
	done, err := a.use(c, token, clientOf(c))
	if err != nil {
		return pair{}, err
	}
	return a.signed(c, &done.user, pair{RefreshToken: done.next})
}

// use uses a refresh token. A token can be used again within RefreshOverlap of its first use; a later use ends the
// session. A refused request does not use up the token.
func (a *Auth) use(c *api.Call, token string, from client) (done exchanged, err error) {
	hash := hashRefreshToken(token)
	sessionID, err := a.mayRefresh(c, hash)
	if err != nil {
		return done, err
	}
	err = c.Step(func(tx *db.Tx) (err error) {
		done, err = a.exchange(tx, sessionID, hash, from)
		if e := audit.Of(tx); done.reused {
			e.SetEvent("EndReusedSession")
		} else {
			e.SetUser(&done.user.Caller)
			e.SetEntity(done.user.Session)
		}
		return err
	})
	if err == nil && done.reused {
		err = errInvalidRefresh // now that the end of the session is durable
	}
	return done, err
}

// mayRefresh finds the session of a refresh token. It refuses unknown tokens, and tokens of an inactive store,
// without a write transaction.
func (a *Auth) mayRefresh(c *api.Call, hash string) (sessionID string, err error) {
	var s session
	err = c.Read(func(tx *db.Tx) error {
		var found bool
		var err error
		if s, found, err = sessionOfToken(tx, hash); err == nil && !found {
			return errInvalidRefresh
		}
		return err
	})
	if err != nil || s.storeKey == 0 {
		return s.id, err
	}
	home, found, err := a.stores.ByKey(c.Context(), s.storeKey)
	if err == nil && !(found && home.Active) {
		return "", errInvalidRefresh
	}
	return s.id, err
}

// exchange uses a refresh token. A row lock on the session serializes concurrent uses.
func (a *Auth) exchange(tx *db.Tx, sessionID, hash string, from client) (done exchanged, err error) {
	s, found, err := lockSession(tx, sessionID)
	if err != nil || !found {
		return done, cmp.Or[error](err, errInvalidRefresh)
	}
	t, found, err := findRefreshToken(tx, hash)
	if err != nil || !found || !tx.ServerNow().Before(t.expiresAt) {
		return done, cmp.Or[error](err, errInvalidRefresh)
	}
	// If the clock was set back, the first use is in the future.
	if !t.usedAt.IsZero() && tx.ServerNow().Sub(t.usedAt).Abs() > RefreshOverlap {
		done.reused = true
		return done, a.endReused(tx, &s)
	}
	if t.uses >= RefreshUses {
		return done, errManyUses
	}
	done.user, found, err = findUser(tx, s.role, s.storeKey, s.userID)
	if err != nil || !found {
		return done, cmp.Or[error](err, errInvalidRefresh)
	}
	done.user.Session, done.user.PIN = s.id, s.tillID != ""
	if err := markUsed(tx, hash); err != nil {
		return done, err
	}
	a.extend(tx, &s, from)
	if err := updateSession(tx, &s); err != nil {
		return done, err
	}
	done.next, err = a.newRefreshToken(tx, &s)
	return done, err
}

package auth

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"

	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

const refreshBytes = 32 // of randomness; twice as many characters

// pair is what a log-in and a refresh answer.
type pair struct {
	Token        string `json:"token"`
	RefreshToken string `json:"refresh_token"`
	Error        string `json:"error,omitempty"`
}

// answer signs an access token and sends it with the rest of the pair.
func (a *Auth) answer(c *api.Call, u *user, p pair) error {
	var err error
	if p.Token, err = a.Issue(c.Context(), &u.Caller, u.lastLoginAt); err != nil {
		return err
	}
	return c.JSON(200, p)
}

// newRefreshToken makes a token of a session, of which the database holds only the hash.
func (a *Auth) newRefreshToken(tx *db.Tx, sessionID string) (string, error) {
	random := make([]byte, refreshBytes)
	_, _ = rand.Read(random) // never fails: without randomness it ends the process
	token := hex.EncodeToString(random)
	return token, insertRefreshToken(tx, &refreshToken{
		hash: hashRefreshToken(token), sessionID: sessionID, expiresAt: tx.ServerNow().Add(a.config.RefreshLife),
	})
}

// hashRefreshToken needs no salt and no slow hash: a token is as random as the hash itself.
func hashRefreshToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func readRefresh(g *form.Group) string { return g.Verbatim("refresh_token") }

// exchanged is what the use of a refresh token led to.
type exchanged struct {
	user   user
	next   string // the new refresh token
	reused bool   // the token was used too long ago, and its session is ended
}

// refresh answers a refresh token with a new pair of the same session. Uses of one token within
// RefreshOverlap of the first are answered with a pair each; a later one ends the session. A refused request
// leaves the token as it is.
func (a *Auth) refresh(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	hash := hashRefreshToken(readRefresh(form.Read(body)))
	sessionID, err := a.mayRefresh(c, hash)
	if err != nil {
		return err
	}
	var done exchanged
	err = c.Write(func(tx *db.Tx) (err error) {
		done, err = a.exchange(tx, sessionID, hash, c.ClientSite())
		return err
	})
	if err == nil && done.reused {
		err = errInvalidRefresh // after the end of the session is durable
	}
	if err != nil {
		return err
	}
	return a.answer(c, &done.user, pair{RefreshToken: done.next})
}

// mayRefresh finds the session of a token. It refuses, without a write, tokens that are unknown or of a store
// that is switched off.
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

// exchange uses a refresh token. The lock of its session makes parallel uses take turns.
func (a *Auth) exchange(tx *db.Tx, sessionID, hash, network string) (done exchanged, err error) {
	s, found, err := lockSession(tx, sessionID)
	if err != nil || !found {
		return done, cmp.Or[error](err, errInvalidRefresh)
	}
	t, found, err := findRefreshToken(tx, hash)
	if err != nil || !found || !tx.ServerNow().Before(t.expiresAt) {
		return done, cmp.Or[error](err, errInvalidRefresh)
	}
	// The first use is in the future when the clock was set back.
	if !t.usedAt.IsZero() && tx.ServerNow().Sub(t.usedAt).Abs() > RefreshOverlap {
		done.reused = true
		return done, a.endReused(tx, &s)
	}
	done.user, found, err = findUser(tx, s.role, s.storeKey, s.userID)
	if err != nil || !found {
		return done, cmp.Or[error](err, errInvalidRefresh)
	}
	done.user.Session = s.id
	if t.usedAt.IsZero() {
		if err := markUsed(tx, hash); err != nil {
			return done, err
		}
	}
	a.extend(tx, &s, network)
	if err := updateSession(tx, &s); err != nil {
		return done, err
	}
	done.next, err = a.newRefreshToken(tx, s.id)
	return done, err
}

// revoke deletes all refresh tokens of the caller. Their access tokens stay valid until they expire.
func (a *Auth) revoke(c *api.Call) error {
	err := c.Write(func(tx *db.Tx) error { return Revoke(tx, c.Caller.ID) })
	if err != nil {
		return err
	}
	return c.Empty(200)
}

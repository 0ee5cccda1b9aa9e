package auth

import (
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

// newRefreshToken makes a token for the user, of which the database holds only the hash.
func (a *Auth) newRefreshToken(tx *db.Tx, u *user) (string, error) {
	random := make([]byte, refreshBytes)
	_, _ = rand.Read(random) // never fails: without randomness it ends the process
	token := hex.EncodeToString(random)
	return token, insertRefreshToken(tx, &refreshToken{
		hash: hashRefreshToken(token), role: u.Role, userID: u.ID, storeKey: u.StoreKey,
		expiresAt: tx.Now.Add(a.config.RefreshLife), createdAt: tx.Now,
	})
}

// hashRefreshToken needs no salt and no slow hash: a token is as random as the hash itself.
func hashRefreshToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func readRefresh(g *form.Group) string { return g.Verbatim("refresh_token") }

// refresh answers a refresh token with a new pair. The token is used up; of several requests with it
// one is answered. A refused request leaves it as it is.
func (a *Auth) refresh(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	hash := hashRefreshToken(readRefresh(form.Read(body)))
	if err := a.mayRefresh(c, hash); err != nil {
		return err
	}
	var current user
	var next string
	err = c.Write(func(tx *db.Tx) error {
		tx.At(0) // tokens keep to the real clock
		used, found, err := takeRefreshToken(tx, hash)
		if err != nil {
			return err
		}
		if !found || !tx.Now.Before(used.expiresAt) {
			return errInvalidRefresh
		}
		if current, found, err = findUser(tx, used.role, used.storeKey, used.userID); err != nil {
			return err
		}
		if !found {
			return errInvalidRefresh
		}
		next, err = a.newRefreshToken(tx, &current)
		return err
	})
	if err != nil {
		return err
	}
	return a.answer(c, &current, pair{RefreshToken: next})
}

// mayRefresh refuses, without a write, tokens that are unknown or of a store that is switched off.
func (a *Auth) mayRefresh(c *api.Call, hash string) error {
	var token refreshToken
	err := c.Read(func(tx *db.Tx) error {
		var found bool
		var err error
		if token, found, err = findRefreshToken(tx, hash); err == nil && !found {
			return errInvalidRefresh
		}
		return err
	})
	if err != nil || token.storeKey == 0 {
		return err
	}
	home, found, err := a.stores.ByKey(c.Context(), token.storeKey)
	if err == nil && !(found && home.Active) {
		return errInvalidRefresh
	}
	return err
}

// revoke deletes all refresh tokens of the caller. His access tokens stay valid until they expire.
func (a *Auth) revoke(c *api.Call) error {
	err := c.Write(func(tx *db.Tx) error { return Revoke(tx, c.Caller.ID) })
	if err != nil {
		return err
	}
	return c.Empty(200)
}

package auth

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/platform/db"
)

const (
	// PINIdle is how long a session that began with a PIN lasts without a call.
	PINIdle = 10 * time.Minute
	// pinTokenLife is the lifetime of an access token of such a session. The refresh after it shows that it is in use.
	pinTokenLife = 2 * time.Minute
)

// lives returns the lifetimes of an access token and of an unused refresh token.
func (a *Auth) lives(byPIN bool) (access, refresh time.Duration) {
	if byPIN {
		return pinTokenLife, PINIdle + pinTokenLife
	}
	return a.config.TokenLife, a.config.RefreshLife
}

func cookieOfTill(c *api.Call) string {
	return (&browserSession{app: "till", store: c.Store.Code}).cookie()
}

// BeginAtTill begins a session of a seller who has given their PIN at an enrolled till, whose row is locked. The
// session that the browser has in the till ends. It returns errBadCredentials for an inactive account.
func (a *Auth) BeginAtTill(tx *db.Tx, c *api.Call, sellerID, tillID string) (*Begun, error) {
	return a.beginSeller(tx, c, sellerID, session{tillID: tillID})
}

func (a *Auth) beginSeller(tx *db.Tx, c *api.Call, sellerID string, s session) (*Begun, error) {
	if former := c.SecretCookie(cookieOfTill(c)); former != "" {
		if err := a.endByToken(tx, former, ""); err != nil {
			return nil, err
		}
	}
	audit.Of(tx).SetEntity(sellerID)
	return a.beginInBrowser(tx, c, access.Seller, sellerID, s)
}

// TokenAtTill returns an access token of a session that the till takes over: the refresh token is in the cookie alone.
func (a *Auth) TokenAtTill(c *api.Call, b *Begun) (string, error) {
	return a.tokenInBrowser(c, cookieOfTill(c), &b.user, b.refresh)
}

// EndAtTill ends the sessions that began with a PIN at a till.
func (a *Auth) EndAtTill(tx *db.Tx, tillID string) error {
	all, err := sessionsAtTill(tx, tillID)
	if err != nil {
		return err
	}
	return a.endEach(tx, all)
}

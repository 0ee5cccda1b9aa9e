package auth

import (
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

var errUnknownRefresh = form.Invalid("unknown_refresh_token")

// logOut is the body of token/revoke. It names one session, all sessions, or neither.
type logOut struct {
	refreshToken string // any refresh token of the session that ends
	everywhere   bool   // all sessions of the caller end
}

func readLogOut(g *form.Group) logOut {
	return logOut{g.Verbatim("refresh_token"), g.Checkbox("everywhere")}
}

// revoke deletes all refresh tokens of the caller. Their access tokens stay valid until they expire.
func (a *Auth) revoke(c *api.Call) error {
	return revokeBy(c, func(tx *db.Tx) error { return Revoke(tx, c.Caller.ID) })
}

// revokeSome ends the session or sessions that the body names, or does the same as revoke.
func (a *Auth) revokeSome(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	switch wanted := readLogOut(g); {
	case wanted.everywhere:
		return revokeBy(c, func(tx *db.Tx) error { return a.End(tx, c.Caller.ID, "") })
	case wanted.refreshToken != "":
		return a.revokeSession(c, g, hashRefreshToken(wanted.refreshToken))
	}
	return a.revoke(c)
}

// revokeSession ends the session of a refresh token, used or not, if it is the caller's.
func (a *Auth) revokeSession(c *api.Call, g *form.Group, hash string) error {
	return revokeBy(c, func(tx *db.Tx) error {
		s, found, err := sessionOfToken(tx, hash)
		if err != nil {
			return err
		}
		if found && s.userID == c.Caller.ID {
			// The lock waits for a concurrent refresh, whose new token ends with the session.
			s, found, err = lockSession(tx, s.id)
			if err != nil || !found {
				return err
			}
			return a.endOne(tx, &s)
		}
		g.AddError("refresh_token", errUnknownRefresh)
		return g.Err()
	})
}

func revokeBy(c *api.Call, end func(tx *db.Tx) error) error {
	return c.Write(end, c.Done)
}

package auth

import (
	"punchcard/core/api"
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
func revoke(w *api.Writing) (api.Nothing, error) { return api.Nothing{}, Revoke(w.Tx, w.Caller.ID) }

// revokeSome ends the session or sessions that the body names, or does the same as revoke.
func (a *Auth) revokeSome(w *api.Writing, body *form.Node) (api.Nothing, error) {
	g := form.Read(body)
	switch wanted := readLogOut(g); {
	case wanted.everywhere:
		return api.Nothing{}, a.End(w.Tx, w.Caller.ID, "")
	case wanted.refreshToken != "":
		return api.Nothing{}, a.revokeSession(w, g, hashRefreshToken(wanted.refreshToken))
	}
	return revoke(w)
}

// revokeSession ends the session of a refresh token, used or not, if it is the caller's.
func (a *Auth) revokeSession(w *api.Writing, g *form.Group, hash string) error {
	s, found, err := sessionOfToken(w.Tx, hash)
	if err != nil {
		return err
	}
	if found && s.userID == w.Caller.ID {
		// The lock waits for a concurrent refresh, whose new token ends with the session.
		s, found, err = lockSession(w.Tx, s.id)
		if err != nil || !found {
			return err
		}
		return a.endOne(w.Tx, &s)
	}
	g.AddError("refresh_token", errUnknownRefresh)
	return g.Err()
}

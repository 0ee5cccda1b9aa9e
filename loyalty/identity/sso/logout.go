package sso

import (
	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

func readLogout(g *form.Group) string { return g.Verbatim("logout_token", form.NotBlank) }

// logOut ends sessions whose user has signed out at the provider, as OpenID Connect Back-Channel Logout 1.0 says. Only
// the signature of the provider tells that the call comes from there.
func (s *Service) logOut(c *api.Call) error {
	if err := c.Take(s.Attempts, c.ClientNetwork()); err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	raw := readLogout(g)
	if err := g.Err(); err != nil {
		return err
	}
	var p Provider
	err = c.Read(func(tx *db.Tx) (err error) {
		p, err = findProvider(tx, c.PathValue("identityProvider"))
		return err
	})
	if err != nil {
		return err
	}
	ctx, stop := s.talk(c.Context())
	defer stop()
	provider, err := s.connect(ctx, &p, c.DB())
	if err != nil {
		return err
	}
	token, err := provider.verifier.VerifyLogout(ctx, raw)
	if err != nil {
		if err := provider.refused(); err != ErrToken {
			return err
		}
		return ErrLogout
	}
	c.ResponseHeader().Set("Cache-Control", "no-store")
	return c.Write(func(tx *db.Tx) error {
		// A token from the future, or an old one, may have been forgotten when it is used again.
		if age := tx.ServerNow().Sub(token.IssuedAt); age.Abs() > LogoutAge {
			return ErrLogout
		}
		until := tx.ServerNow().Add(2 * LogoutAge)
		if first, err := useLogout(tx, p.ID, token.TokenID, until); err != nil || !first {
			if err == nil {
				err = ErrLogout
			}
			return err
		}
		if token.SessionID != "" {
			return s.Auth.EndOfProvider(tx, p.ID, token.SessionID)
		}
		found, known, err := findIdentity(tx, p.Issuer, token.Subject)
		if err != nil || !known {
			return err
		}
		return s.Auth.End(tx, found.adminID, "")
	}, c.Done)
}

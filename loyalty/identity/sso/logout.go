package sso

import (
	"context"

	"github.com/coreos/go-oidc/v3/oidc"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

func readLogout(g *form.Group) string { return g.Verbatim("logout_token", form.NotBlank) }

// logOut ends sessions whose user has signed out at the provider, as OpenID Connect Back-Channel Logout 1.0 says. Only
// the signature of the provider tells that the call comes from there.
func (s *Service) logOut(c *api.Call) error {
	raw, err := limited(s, c, readLogout)
	if err != nil {
		return err
	}
	p, err := named(c)
	if err != nil {
		return err
	}
	var token *oidc.LogoutToken
	err = s.converse(c, &p, func(ctx context.Context, provider *conversation) (err error) {
		if token, err = provider.verifier.VerifyLogout(ctx, raw); err == nil {
			return nil
		}
		if err := provider.refused(); err != ErrToken {
			return err
		}
		return ErrLogout
	})
	if err != nil {
		return err
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
		if token.SessionID == "" {
			return p.eachUser(tx, token.Subject, func(userID string) error { return s.Auth.End(tx, userID, "") })
		}
		if err := s.Auth.EndOfProvider(tx, p.ID, token.SessionID); err != nil {
			return err
		}
		// Sessions whose ID token did not name the session may be meant too.
		return p.eachUser(tx, token.Subject, func(userID string) error {
			return s.Auth.EndAtProvider(tx, p.ID, userID, true)
		})
	}, c.Done)
}

// eachUser runs do for the administrator and the seller who are a user of the provider.
func (p *Provider) eachUser(tx *db.Tx, subject string, do func(userID string) error) error {
	for _, role := range []access.Role{access.Administrator, access.Seller} {
		found, known, err := findIdentity(tx, p, role, subject)
		if err == nil && known {
			err = do(found.userID)
		}
		if err != nil || p.StoreKey == 0 { // sellers sign in at providers of their store
			return err
		}
	}
	return nil
}

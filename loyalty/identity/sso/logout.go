package sso

import (
	"cmp"
	"context"

	"github.com/coreos/go-oidc/v3/oidc"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

func readLogout(g *form.Group) string { return g.Verbatim("logout_token", form.NotBlank) }

// logOutToken is a token by which a provider ends sessions.
type logOutToken struct {
	from Provider
	*oidc.LogoutToken
}

// checkLogOut checks a token. Only the signature of the provider tells that the call comes from there.
func (s *Service) checkLogOut(c *api.Call, raw string) (token logOutToken, err error) {
	if token.from, err = named(c); err != nil {
		return token, err
	}
	err = s.converse(c, &token.from, func(ctx context.Context, provider *conversation) (err error) {
		if token.LogoutToken, err = provider.verifier.VerifyLogout(ctx, raw); err == nil {
			return nil
		}
		if err := provider.refused(); err != ErrToken {
			return err
		}
		return ErrLogout
	})
	if err == nil {
		c.ResponseHeader().Set("Cache-Control", "no-store")
	}
	return token, err
}

// logOut ends sessions whose user has signed out at the provider, as OpenID Connect Back-Channel Logout 1.0 says.
func (s *Service) logOut(w *api.Writing, token logOutToken) (done api.Nothing, err error) {
	// A token from the future, or an old one, may have been forgotten when it is used again.
	if age := w.Tx.ServerNow().Sub(token.IssuedAt); age.Abs() > LogoutAge {
		return done, ErrLogout
	}
	p, until := &token.from, w.Tx.ServerNow().Add(2*LogoutAge)
	if first, err := useLogout(w.Tx, p.ID, token.TokenID, until); err != nil || !first {
		return done, cmp.Or(err, error(ErrLogout))
	}
	if token.SessionID == "" {
		return done, p.eachUser(w.Tx, token.Subject, func(userID string) error { return s.Auth.End(w.Tx, userID, "") })
	}
	if err := s.Auth.EndOfProvider(w.Tx, p.ID, token.SessionID); err != nil {
		return done, err
	}
	// Sessions whose ID token did not name the session may be meant too.
	return done, p.eachUser(w.Tx, token.Subject, func(userID string) error {
		return s.Auth.EndAtProvider(w.Tx, p.ID, userID, true)
	})
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

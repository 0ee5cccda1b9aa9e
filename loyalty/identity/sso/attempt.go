package sso

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// ReturnPath is the page of the cockpit to which a provider sends browsers back, without the id of the provider at its
// end. It hands those of tills over.
const ReturnPath = "/sso/"

// browserCookie is the cookie that binds an attempt to a browser.
const browserCookie = "pc-sso"

// begun is the response to the start of an attempt.
type begun struct {
	URL string `json:"url"` // of the provider, where the browser goes on
}

// wanted is the attempt that a page begins.
type wanted struct {
	providerID string
	role       access.Role
	fresh      bool // the provider is to ask who the user is, even if it knows them
}

func readStart(g *form.Group) wanted {
	return wanted{g.Key("provider", form.NotBlank), access.Administrator, g.Checkbox("fresh")}
}

// readStartInStore reads a start at a provider of a store, by the app that the user signs in to.
func readStartInStore(g *form.Group) wanted {
	w := readStart(g)
	if g.Choice("app", []string{"cockpit", "till"}, form.NotBlank) == "till" {
		w.role = access.Seller
	}
	return w
}

func readSellerStart(g *form.Group) wanted {
	w := readStart(g)
	w.role = access.Seller
	return w
}

// mayTry counts a call against the limit of the client's address.
func (s *Service) mayTry(c *api.Call) error { return c.Take(s.Attempts, c.ClientNetwork()) }

// fromPage is mayTry for calls that only pages of this server make.
func (s *Service) fromPage(c *api.Call) error {
	if err := c.SameOrigin(); err != nil {
		return err
	}
	return s.mayTry(c)
}

// storeKey returns the key of the store of a path, or 0 for the installation.
func storeKey(c *api.Call) int64 { return keyOf(c.Store) }

func (s *Service) startLogIn(c *api.Call, given wanted) (begun, error) { return s.start(c, given, "") }

// start begins an attempt: a log-in, or a link for the user with the id. The database stores only hashes of its
// secrets.
func (s *Service) start(c *api.Call, given wanted, userID string) (response begun, err error) {
	if s.Base() == "" {
		return response, ErrNoAddress
	}
	var p Provider
	err = c.Read(func(tx *db.Tx) (err error) {
		p, err = enabledProvider(tx, storeKey(c), given.providerID)
		return err
	})
	if err != nil {
		return response, err
	}
	state, cookie := stateOf(c, given.role, userID), rand.Text()+rand.Text()
	secret := p.bind(cookie)
	err = s.converse(c, &p, func(_ context.Context, provider *conversation) error {
		response.URL = provider.pageFor(state, secret, given.fresh)
		return nil
	})
	if err != nil {
		return response, err
	}
	err = c.Step(func(tx *db.Tx) error {
		return insertAttempt(tx, &attempt{
			stateHash: hash(state), browserHash: hash(secret), storeKey: p.StoreKey, providerID: p.ID, role: given.role,
			userID: userID, expiresAt: tx.ServerNow().Add(AttemptLife),
		})
	})
	if err == nil {
		c.SetSecretCookie(browserCookie, cookie, AttemptLife)
	}
	return response, err
}

// stateOf returns a new state. It tells the page to which the browser returns to hand it over to the till of a store,
// and to end a link for the user who is signed in.
func stateOf(c *api.Call, role access.Role, userID string) string {
	state := rand.Text()
	if userID != "" {
		state = "link." + state
	}
	if role == access.Seller {
		state = "till." + c.Store.Code + "." + state
	}
	return state
}

// enabledProvider finds a provider that is switched on.
func enabledProvider(tx *db.Tx, storeKey int64, id string) (Provider, error) {
	p, err := findProvider(tx, storeKey, id)
	if err == nil && !p.Enabled {
		err = fault.ErrNotFound
	}
	return p, err
}

// returned holds the parameters with which a browser comes back from a provider.
type returned struct {
	providerID  string // in the path to which the browser was sent
	state, code string
	issuer      string // of the provider that sent the browser; empty if the provider does not say it
}

func readReturned(g *form.Group) returned {
	return returned{
		g.Key("provider", form.NotBlank), g.Verbatim("state", form.NotBlank), g.Verbatim("code", form.NotBlank),
		g.Verbatim("iss"),
	}
}

// identified is a person whom a provider has identified.
type identified struct {
	by Provider
	*person
}

// come ends the attempt of a browser that has come back, and asks the provider who the user is.
func (s *Service) come(c *api.Call, given returned, role access.Role, userID string) (who identified, err error) {
	cookie := c.SecretCookie(browserCookie)
	if who.by, err = end(c, given, cookie, role, userID); err != nil {
		return who, err
	}
	c.SetSecretCookie(browserCookie, "", 0)
	err = s.converse(c, &who.by, func(ctx context.Context, provider *conversation) (err error) {
		who.person, err = provider.identify(ctx, given, who.by.bind(cookie))
		return err
	})
	return who, err
}

// end ends an attempt before its code is used, so that neither can be used again. An attempt of another browser or
// user, for another app, at another store, or at another provider stays.
func end(c *api.Call, given returned, cookie string, role access.Role, userID string) (p Provider, err error) {
	err = c.DB().Write(c.Context(), func(tx *db.Tx) error {
		a, found, err := findAttempt(tx, hash(given.state))
		if err != nil {
			return err
		}
		here := a.role == role && a.userID == userID && (c.Store == nil || a.storeKey == c.Store.Key)
		if !found || !here || a.providerID != given.providerID || !tx.ServerNow().Before(a.expiresAt) {
			return ErrAttempt
		}
		if p, err = sameProvider(tx, &Provider{StoreKey: a.storeKey, ID: a.providerID}, func(p *Provider) bool {
			return subtle.ConstantTimeCompare([]byte(a.browserHash), []byte(hash(p.bind(cookie)))) == 1
		}); err != nil {
			return err
		}
		ended, err := deleteAttempt(tx, a.stateHash)
		if err == nil && !ended {
			err = ErrAttempt
		}
		return err
	})
	return p, err
}

// sameProvider reads a provider again. It returns ErrAttempt if the provider is no longer the same, or switched off.
// The claims of one are never attributed to another.
func sameProvider(tx *db.Tx, was *Provider, same func(is *Provider) bool) (Provider, error) {
	is, err := enabledProvider(tx, was.StoreKey, was.ID)
	if errors.Is(err, fault.ErrNotFound) || err == nil && !same(&is) {
		err = ErrAttempt
	}
	return is, err
}

// again is sameProvider for a provider that has identified a user.
func (p *Provider) again(tx *db.Tx) (Provider, error) {
	return sameProvider(tx, p, func(is *Provider) bool { return is.Issuer == p.Issuer && is.ClientID == p.ClientID })
}

package sso

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"

	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// ReturnPath is the page of the cockpit to which providers send browsers back.
const ReturnPath = "/sso"

// browserCookie is the cookie that binds an attempt to a browser.
const browserCookie = "pc-sso"

// begun is the response to the start of an attempt.
type begun struct {
	URL string `json:"url"` // of the provider, where the browser goes on
}

func readStart(g *form.Group) (providerID string) { return g.Key("provider", form.NotBlank) }

// start begins an attempt: a log-in, or a link for the caller. The database stores hashes of its secrets only.
func (s *Service) start(c *api.Call, adminID string) error {
	if err := c.SameOrigin(); err != nil {
		return err
	}
	if err := c.Take(s.Attempts, c.ClientNetwork()); err != nil {
		return err
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	id := readStart(g)
	if err := g.Err(); err != nil {
		return err
	}
	if s.Base() == "" {
		return ErrNoAddress
	}
	var p Provider
	err = c.Read(func(tx *db.Tx) (err error) {
		p, err = enabledProvider(tx, id)
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
	// A link returns with a state that tells the page to end it for the user who is signed in.
	state, secret := rand.Text(), rand.Text()+rand.Text()
	if adminID != "" {
		state = "link." + state
	}
	err = c.Step(func(tx *db.Tx) error {
		return insertAttempt(tx, &attempt{
			stateHash: hash(state), browserHash: hash(secret), providerID: p.ID, adminID: adminID,
			expiresAt: tx.ServerNow().Add(AttemptLife),
		})
	})
	if err != nil {
		return err
	}
	c.SetSecretCookie(browserCookie, secret, AttemptLife)
	return c.OK(begun{provider.pageFor(state, secret)})
}

// enabledProvider finds a provider that is switched on.
func enabledProvider(tx *db.Tx, id string) (Provider, error) {
	p, err := findProvider(tx, id)
	if err == nil && !p.Enabled {
		err = fault.ErrNotFound
	}
	return p, err
}

type returned struct{ state, code string }

func readReturned(g *form.Group) returned {
	return returned{g.Verbatim("state", form.NotBlank), g.Verbatim("code", form.NotBlank)}
}

// come reads with what a browser has come back, ends its attempt, and asks the provider who the user is.
func (s *Service) come(c *api.Call, adminID string) (p Provider, who *person, err error) {
	if err := c.SameOrigin(); err != nil {
		return p, nil, err
	}
	if err := c.Take(s.Attempts, c.ClientNetwork()); err != nil {
		return p, nil, err
	}
	body, err := c.Body()
	if err != nil {
		return p, nil, err
	}
	g := form.Read(body)
	given := readReturned(g)
	if err := g.Err(); err != nil {
		return p, nil, err
	}
	secret := c.SecretCookie(browserCookie)
	if p, err = s.end(c.Context(), c.DB(), given.state, secret, adminID); err != nil {
		return p, nil, err
	}
	c.SetSecretCookie(browserCookie, "", 0)
	ctx, stop := s.talk(c.Context())
	defer stop()
	provider, err := s.connect(ctx, &p, c.DB())
	if err != nil {
		return p, nil, err
	}
	who, err = provider.identify(ctx, given.code, secret)
	return p, who, err
}

// end ends an attempt before its code is used, so that neither can be used again. An attempt of another browser or
// another user stays.
func (s *Service) end(ctx context.Context, d *db.DB, state, secret, adminID string) (p Provider, err error) {
	err = d.Write(ctx, func(tx *db.Tx) error {
		a, found, err := findAttempt(tx, hash(state))
		if err != nil {
			return err
		}
		own := subtle.ConstantTimeCompare([]byte(a.browserHash), []byte(hash(secret))) == 1
		if !found || !own || a.adminID != adminID || !tx.ServerNow().Before(a.expiresAt) {
			return ErrAttempt
		}
		ended, err := deleteAttempt(tx, a.stateHash)
		if err == nil && !ended {
			err = ErrAttempt
		}
		if err != nil {
			return err
		}
		if p, err = enabledProvider(tx, a.providerID); errors.Is(err, fault.ErrNotFound) {
			err = ErrAttempt
		}
		return err
	})
	return p, err
}

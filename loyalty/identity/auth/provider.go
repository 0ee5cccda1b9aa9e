package auth

import (
	"context"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
)

// Provider is the identity provider that identified the user of a session, and the id of the session there.
type Provider struct {
	ID, Session string
	AskedAt     time.Time // when it asked who the user is, which a silent sign-in does not; zero if it did not say
}

// Begun is a session that Begin has begun.
type Begun struct {
	user    user
	refresh string
}

// Begin begins a session of an administrator whom a provider has identified. It returns
// errBadCredentials for an inactive account.
func (a *Auth) Begin(tx *db.Tx, c *api.Call, adminID string, by Provider) (*Begun, error) {
	if err := admin.SetIdentified(tx, adminID); err != nil {
		return nil, err
	}
	return a.beginInBrowser(tx, c, access.Administrator, adminID, session{provider: by})
}

// BeginSeller begins a session of a seller whom a provider has identified, in place of that which the browser has in
// the till. It returns errBadCredentials for an inactive account.
func (a *Auth) BeginSeller(tx *db.Tx, c *api.Call, sellerID string, by Provider) (*Begun, error) {
	if err := seller.SetIdentified(tx, c.Store.Key, sellerID); err != nil {
		return nil, err
	}
	return a.beginSeller(tx, c, sellerID, session{provider: by})
}

// beginInBrowser begins a session of a user who is identified.
func (a *Auth) beginInBrowser(tx *db.Tx, c *api.Call, role access.Role, userID string, s session) (*Begun, error) {
	var storeKey int64
	if role != access.Administrator {
		storeKey = c.Store.Key
	}
	u, found, err := findUser(tx, role, storeKey, userID)
	if err == nil && !found {
		err = errBadCredentials
	}
	if err != nil {
		return nil, err
	}
	audit.Of(tx).SetUser(&u.Caller)
	from := clientOf(c)
	from.browser = true
	refresh, err := a.startSession(tx, &u, from, s)
	return &Begun{u, refresh}, err
}

// TokenInCockpit returns an access token of a session that the cockpit takes over: the refresh token is in the cookie
// alone.
func (a *Auth) TokenInCockpit(c *api.Call, b *Begun) (string, error) {
	return a.tokenInBrowser(c, (&browserSession{app: "cockpit"}).cookie(), &b.user, b.refresh)
}

// identifiedUntil returns until when the identity provider at which the session began stands for the password: for
// StepUpLife after it asked who the user is. It is zero without a provider, and the start of the session if the
// provider did not say when it asked.
func (s *session) identifiedUntil() time.Time {
	switch {
	case s.provider.ID == "":
		return time.Time{}
	case s.provider.AskedAt.IsZero():
		return s.startedAt
	case s.provider.AskedAt.After(s.startedAt): // its clock is ahead
		return s.startedAt.Add(StepUpLife)
	}
	return s.provider.AskedAt.Add(StepUpLife)
}

// EndOfProvider ends the sessions that began with a session at a provider.
func (a *Auth) EndOfProvider(tx *db.Tx, providerID, providerSession string) error {
	all, err := sessionsOfProvider(tx, providerID, providerSession)
	if err != nil {
		return err
	}
	return a.endEach(tx, all)
}

// EndAtProvider ends the sessions of a user that began at a provider; if unnamed, those whose session there is
// unknown.
func (a *Auth) EndAtProvider(tx *db.Tx, providerID, userID string, unnamed bool) error {
	all, err := sessionsOfUserAtProvider(tx, providerID, userID, unnamed)
	if err != nil {
		return err
	}
	return a.endEach(tx, all)
}

// LostRights ends the sessions that a user has begun at a provider by which they have no rights any more.
func (a *Auth) LostRights(ctx context.Context, providerID, userID string) error {
	return a.db.Write(ctx, func(tx *db.Tx) error { return a.EndAtProvider(tx, providerID, userID, false) })
}

// endEach ends sessions by their ids.
func (a *Auth) endEach(tx *db.Tx, ids []string) error {
	for _, id := range ids {
		s, found, err := lockSession(tx, id)
		if err != nil {
			return err
		}
		if found {
			if err := a.endOne(tx, &s); err != nil {
				return err
			}
		}
	}
	return nil
}

package sso

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
)

// door is an app that users of providers sign in to.
type door struct {
	role  access.Role
	admit func(tx *db.Tx, p *Provider, who *person) (userID string, err error)
	begin func(tx *db.Tx, c *api.Call, userID string, by auth.Provider) (*auth.Begun, error)
	token func(c *api.Call, session *auth.Begun) (string, error)
}

func (s *Service) cockpit() door {
	return door{access.Administrator, s.admit, s.Auth.Begin, s.Auth.TokenInCockpit}
}

func (s *Service) till() door {
	return door{access.Seller, admitSeller, s.Auth.BeginSeller, s.Auth.TokenAtTill}
}

// logIn ends a log-in with a session of an app.
func (s *Service) logIn(to door) func(c *api.Call, given returned) (token, error) {
	return func(c *api.Call, given returned) (response token, err error) {
		who, err := s.come(c, given, to.role, "")
		if err != nil {
			return response, err
		}
		session, err := s.open(c, to, &who)
		if err != nil {
			return response, err
		}
		response.Token, err = to.token(c, session)
		return response, err
	}
}

// open begins the session of a user whom a provider has identified.
func (s *Service) open(c *api.Call, to door, who *identified) (session *auth.Begun, err error) {
	var userID string
	err = c.Step(func(tx *db.Tx) error {
		p, err := who.by.again(tx) // it may have changed meanwhile
		if err != nil {
			return err
		}
		audit.Of(tx).StoreKey = p.StoreKey
		if err := lockAccounts(tx, to.role, p.StoreKey); err != nil {
			return err
		}
		if userID, err = to.admit(tx, &p, who.person); err != nil {
			return err
		}
		session, err = to.begin(tx, c, userID, auth.Provider{ID: p.ID, Session: who.session, AskedAt: who.askedAt})
		return err
	})
	if errors.Is(err, ErrNoRights) || errors.Is(err, ErrDisabled) {
		c.LogInFailed(who.by.StoreKey, to.role, userID)
	}
	if errors.Is(err, ErrNoRights) && userID != "" {
		if err := s.Auth.LostRights(c.Context(), who.by.ID, userID); err != nil {
			return nil, err
		}
	}
	return session, err
}

// lockAccounts serializes the changes of accounts by providers, and of their identities.
func lockAccounts(tx *db.Tx, role access.Role, storeKey int64) error {
	if role == access.Administrator {
		return admin.LockRoles(tx)
	}
	_, err := store.Lock(tx, storeKey)
	return err
}

// admit returns the id of the administrator that a user of a provider is. Their groups decide their roles each time. A
// user who is not known gets an account.
func (s *Service) admit(tx *db.Tx, p *Provider, who *person) (adminID string, err error) {
	found, known, err := findIdentity(tx, p, access.Administrator, who.subject)
	if err != nil {
		return "", err
	}
	given, err := p.rightsOf(tx, who.groups)
	if err == nil && given.none() {
		err = ErrNoRights
	}
	if err != nil {
		return found.userID, err
	}
	everywhere, inStores := given.roles()
	if !known {
		return register(tx, p, who, everywhere, inStores)
	}
	a, _, err := admin.FindByID(tx, found.userID)
	if err == nil && (!a.Active || a.OnlyStore != p.StoreKey) {
		err = ErrDisabled
	}
	if err != nil {
		return a.ID, err
	}
	changed, err := admin.GiveRoles(tx, &a, everywhere, inStores)
	if changed {
		tx.AfterCommit(func() { s.Auth.Forget(a.ID) })
	}
	if err != nil {
		return a.ID, err
	}
	audit.Of(tx).SetEntity(a.ID)
	return a.ID, useIdentity(tx, &found)
}

// register adds an account for a user of a provider. It has no password. An account with the same e-mail address is
// never taken over: who owns it can link it. What the provider of a store says of addresses does not count outside of
// the store, so that the account has none.
func register(tx *db.Tx, p *Provider, who *person, roleID int64, inStores []admin.StoreRole) (string, error) {
	in := admin.New{
		FirstName: keytext.Clean(who.firstName), LastName: keytext.Clean(who.lastName), Active: true, RoleID: roleID,
		StoreRoles: inStores, OnlyStore: p.StoreKey,
	}
	if p.StoreKey == 0 {
		in.Email = keytext.Clean(who.email)
	}
	a, err := admin.CreateIdentified(tx, in)
	if errors.Is(err, admin.ErrTaken) {
		err = ErrExists
	}
	if err != nil {
		return "", err
	}
	audit.Of(tx).SetCreated(a.ID)
	return a.ID, p.join(tx, access.Administrator, who.subject, a.ID)
}

// identity returns the identity of a user of the provider.
func (p *Provider) identity(role access.Role, subject string) identity {
	return identity{storeKey: p.StoreKey, role: role, issuer: p.Issuer, subject: subject}
}

// join links a new account with the user whom the provider has signed in.
func (p *Provider) join(tx *db.Tx, role access.Role, subject, userID string) error {
	i := p.identity(role, subject)
	i.id, i.userID, i.linkedAt, i.lastUsedAt = tx.NewID(), userID, tx.ServerNow(), tx.ServerNow()
	inserted, err := insertIdentity(tx, &i)
	if err == nil && !inserted {
		err = ErrTaken
	}
	return err
}

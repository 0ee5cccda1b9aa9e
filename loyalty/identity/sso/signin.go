package sso

import (
	"errors"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
)

// logIn ends a log-in with a session of the cockpit.
func (s *Service) logIn(c *api.Call) error {
	p, who, err := s.come(c, "")
	if err != nil {
		return err
	}
	var session *auth.Begun
	var adminID string
	err = c.Step(func(tx *db.Tx) error {
		if adminID, err = s.admit(tx, p.ID, who); err != nil {
			return err
		}
		session, err = s.Auth.Begin(tx, c, adminID, auth.Provider{ID: p.ID, Session: who.session})
		return err
	})
	if err != nil {
		if errors.Is(err, ErrNoRights) || errors.Is(err, ErrDisabled) {
			c.LogInFailed(0, access.Administrator, adminID)
		}
		return err
	}
	return s.Auth.RespondInCockpit(c, session)
}

// admit returns the id of the administrator that a user of a provider is. Their groups decide their role each time. A
// user who is not known gets an account.
func (s *Service) admit(tx *db.Tx, providerID string, who *person) (adminID string, err error) {
	p, err := enabledProvider(tx, providerID) // it may have changed meanwhile
	if err != nil {
		return "", err
	}
	if err := admin.LockRoles(tx); err != nil {
		return "", err
	}
	found, known, err := findIdentity(tx, p.Issuer, who.subject)
	if err != nil {
		return "", err
	}
	role, _, err := p.roleOf(tx, who.groups)
	if err == nil && role.ID == 0 {
		err = ErrNoRights
	}
	if err != nil {
		return found.adminID, err
	}
	if !known {
		return s.register(tx, &p, who, role.ID)
	}
	a, _, err := admin.FindByID(tx, found.adminID)
	if err == nil && !a.Active {
		err = ErrDisabled
	}
	if err != nil {
		return a.ID, err
	}
	changed, err := admin.GiveRole(tx, &a, role.ID)
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
// never taken over: who owns it can link it.
func (s *Service) register(tx *db.Tx, p *Provider, who *person, roleID int64) (string, error) {
	a, err := admin.CreateIdentified(tx, admin.New{
		Email: keytext.Clean(who.email), FirstName: keytext.Clean(who.firstName), LastName: keytext.Clean(who.lastName),
		Active: true, RoleID: roleID,
	})
	if errors.Is(err, admin.ErrTaken) {
		err = ErrExists
	}
	if err != nil {
		return "", err
	}
	audit.Of(tx).SetCreated(a.ID)
	inserted, err := insertIdentity(tx, &identity{
		issuer: p.Issuer, subject: who.subject, id: tx.NewID(), adminID: a.ID, linkedAt: tx.ServerNow(),
		lastUsedAt: tx.ServerNow(),
	})
	if err == nil && !inserted {
		err = ErrTaken
	}
	return a.ID, err
}

// roleOf returns the role that groups give, and the group that gives it. The zero role means none. Groups never give
// the master role: a grant of a role that has become one gives nothing.
func (p *Provider) roleOf(tx *db.Tx, groups []string) (admin.Role, string, error) {
	in := make(map[string]bool, len(groups))
	for _, group := range groups {
		in[group] = true
	}
	for _, grant := range p.Grants {
		if !in[grant.Group] {
			continue
		}
		role, found, err := admin.FindRole(tx, grant.RoleID)
		if err != nil {
			return admin.Role{}, "", err
		}
		if found && !role.Master {
			return role, grant.Group, nil
		}
	}
	return admin.Role{}, "", nil
}

package sso

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// linkList lists the identities of the caller, and the providers that can be linked.
type linkList struct {
	Identities  []linkView   `json:"identities"`
	Providers   []buttonView `json:"providers"`
	HasPassword bool         `json:"hasPassword"`
}

type linkView struct {
	ID         string  `json:"identityId"`
	Provider   string  `json:"provider"` // name, or the issuer if no provider has it any more
	LinkedAt   string  `json:"linkedAt"`
	LastUsedAt *string `json:"lastUsedAt"` // null if never
}

func (s *Service) listLinks(c *api.Call) error {
	list := linkList{Identities: []linkView{}, Providers: []buttonView{}}
	err := c.Read(func(tx *db.Tx) error {
		providers, err := allProviders(tx)
		if err != nil {
			return err
		}
		own, err := identitiesOf(tx, c.Caller.ID)
		if err != nil {
			return err
		}
		names := map[string]string{}
		for i := range providers {
			names[providers[i].Issuer] = providers[i].Name
		}
		linked := map[string]bool{}
		for _, i := range own {
			linked[i.issuer] = true
			view := linkView{
				ID: i.id, Provider: names[i.issuer], LinkedAt: api.Timestamp(i.linkedAt, time.UTC),
				LastUsedAt: api.OptionalTimestamp(i.lastUsedAt, time.UTC),
			}
			if view.Provider == "" {
				view.Provider = i.issuer
			}
			list.Identities = append(list.Identities, view)
		}
		for i := range providers {
			if p := &providers[i]; p.Enabled && !linked[p.Issuer] {
				list.Providers = append(list.Providers, buttonView{p.ID, p.Name})
			}
		}
		a, _, err := admin.FindByID(tx, c.Caller.ID)
		list.HasPassword = a.PasswordHash != ""
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(list)
}

// startLink begins to link the caller's account.
func (s *Service) startLink(c *api.Call) error {
	if c.Caller.Session == "" {
		return fault.ErrForbidden // an integration has no identity
	}
	return s.start(c, c.Caller.ID)
}

// link links the caller's account with the user whom the provider has signed in.
func (s *Service) link(c *api.Call) error {
	if c.Caller.Session == "" {
		return fault.ErrForbidden
	}
	p, who, err := s.come(c, c.Caller.ID)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		if err := admin.LockRoles(tx); err != nil {
			return err
		}
		own, err := identitiesOf(tx, c.Caller.ID)
		if err != nil {
			return err
		}
		found, known, err := findIdentity(tx, p.Issuer, who.subject)
		switch {
		case err != nil:
			return err
		case known && found.adminID == c.Caller.ID:
			return nil
		case known:
			return ErrTaken
		case len(own) >= IdentityLimit:
			return ErrManyLinks
		}
		inserted, err := insertIdentity(tx, &identity{
			issuer: p.Issuer, subject: who.subject, id: tx.NewID(), adminID: c.Caller.ID, linkedAt: tx.ServerNow(),
		})
		if err == nil && !inserted {
			err = ErrTaken
		}
		return err
	}, c.NoContent)
}

// unlink removes an identity of the caller, unless no way to sign in would be left.
func (s *Service) unlink(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		if err := admin.LockRoles(tx); err != nil {
			return err
		}
		own, err := identitiesOf(tx, c.Caller.ID)
		if err != nil {
			return err
		}
		a, _, err := admin.FindByID(tx, c.Caller.ID)
		if err != nil {
			return err
		}
		for i := range own {
			switch {
			case own[i].id != c.PathValue("identity"):
			case len(own) == 1 && a.PasswordHash == "":
				return ErrLastWay
			default:
				return deleteIdentity(tx, &own[i])
			}
		}
		return fault.ErrNotFound
	}, c.NoContent)
}

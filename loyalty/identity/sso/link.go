package sso

import (
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
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
		who, err := ownerOf(tx, c.Caller)
		if err != nil {
			return err
		}
		providers, err := allProviders(tx, c.Caller.StoreKey)
		if err != nil {
			return err
		}
		own, err := identitiesOf(tx, c.Caller.StoreKey, c.Caller.ID)
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
			if p := &providers[i]; p.Enabled && !linked[p.Issuer] && who.mayLink(p) {
				list.Providers = append(list.Providers, buttonView{p.ID, p.Name})
			}
		}
		list.HasPassword = who.hasPassword
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(list)
}

// owner describes the administrator or seller who links identities.
type owner struct {
	role        access.Role
	hasPassword bool
	ofOneStore  bool // an administrator whom the provider of a store signs in
}

func ownerOf(tx *db.Tx, c *access.Caller) (owner, error) {
	if c.Role == access.Seller {
		s, _, err := seller.FindByID(tx, c.StoreKey, c.ID)
		return owner{c.Role, s.PasswordHash != "", false}, err
	}
	a, _, err := admin.FindByID(tx, c.ID)
	return owner{c.Role, a.PasswordHash != "", a.OnlyStore != 0}, err
}

// mayLink reports whether the provider can sign the owner in, if their groups allow it.
func (o *owner) mayLink(p *Provider) bool {
	return !o.ofOneStore && (o.role == access.Administrator || p.letsIn(o.role))
}

// startLink begins to link the caller's account.
func (s *Service) startLink(c *api.Call, read func(g *form.Group) wanted) error {
	if c.Caller.Session == "" {
		return fault.ErrForbidden // an integration has no identity
	}
	return s.start(c, read, c.Caller.ID)
}

// link links the caller's account with the user whom the provider has signed in.
func (s *Service) link(c *api.Call) error {
	if c.Caller.Session == "" {
		return fault.ErrForbidden
	}
	p, who, err := s.come(c, c.Caller.Role, c.Caller.ID)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		p, err := p.again(tx)
		if err != nil {
			return err
		}
		if err := lockAccounts(tx, c.Caller.Role, p.StoreKey); err != nil {
			return err
		}
		of, err := ownerOf(tx, c.Caller)
		if err == nil && of.ofOneStore {
			err = ErrOnlyStore
		}
		if err != nil {
			return err
		}
		own, err := identitiesOf(tx, p.StoreKey, c.Caller.ID)
		if err != nil {
			return err
		}
		found, known, err := findLiving(tx, &p, c.Caller.Role, who.subject)
		switch {
		case err != nil:
			return err
		case known && found.userID == c.Caller.ID:
			return nil
		case known:
			return ErrTaken
		case len(own) >= IdentityLimit:
			return ErrManyLinks
		}
		i := p.identity(c.Caller.Role, who.subject)
		i.id, i.userID, i.linkedAt = tx.NewID(), c.Caller.ID, tx.ServerNow()
		inserted, err := insertIdentity(tx, &i)
		if err == nil && !inserted {
			err = ErrTaken
		}
		return err
	}, c.NoContent)
}

// findLiving is findIdentity, which forgets the identity of a seller who was deleted.
func findLiving(tx *db.Tx, p *Provider, role access.Role, subject string) (found identity, known bool, err error) {
	found, known, err = findIdentity(tx, p, role, subject)
	if err != nil || !known || role != access.Seller {
		return found, known, err
	}
	_, exists, err := seller.FindByID(tx, p.StoreKey, found.userID)
	if err == nil && !exists {
		err = deleteIdentity(tx, &found)
	}
	return found, exists, err
}

// unlink removes an identity of the caller, unless no way to sign in would be left.
func (s *Service) unlink(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		if err := lockAccounts(tx, c.Caller.Role, c.Caller.StoreKey); err != nil {
			return err
		}
		own, err := identitiesOf(tx, c.Caller.StoreKey, c.Caller.ID)
		if err != nil {
			return err
		}
		who, err := ownerOf(tx, c.Caller)
		if err != nil {
			return err
		}
		for i := range own {
			switch {
			case own[i].id != c.PathValue("identity"):
			case len(own) == 1 && !who.hasPassword:
				return ErrLastWay
			default:
				return deleteIdentity(tx, &own[i])
			}
		}
		return fault.ErrNotFound
	}, c.NoContent)
}

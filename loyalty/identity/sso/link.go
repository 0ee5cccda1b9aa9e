package sso

import (
	"cmp"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
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

func listLinks(r *api.Reading) (linkList, error) {
	list := linkList{Identities: []linkView{}, Providers: []buttonView{}}
	who, err := ownerOf(r.Tx, r.Caller)
	if err != nil {
		return list, err
	}
	providers, err := allProviders(r.Tx, r.Caller.StoreKey)
	if err != nil {
		return list, err
	}
	own, err := identitiesOf(r.Tx, r.Caller.StoreKey, r.Caller.ID)
	if err != nil {
		return list, err
	}
	names := map[string]string{}
	for i := range providers {
		names[providers[i].Issuer] = providers[i].Name
	}
	linked := map[string]bool{}
	for _, i := range own {
		linked[i.issuer] = true
		list.Identities = append(list.Identities, linkView{
			ID: i.id, Provider: cmp.Or(names[i.issuer], i.issuer), LinkedAt: api.Timestamp(i.linkedAt, time.UTC),
			LastUsedAt: api.OptionalTimestamp(i.lastUsedAt, time.UTC),
		})
	}
	for i := range providers {
		if p := &providers[i]; p.Enabled && !linked[p.Issuer] && who.mayLink(p) {
			list.Providers = append(list.Providers, buttonView{p.ID, p.Name})
		}
	}
	list.HasPassword = who.hasPassword
	return list, nil
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

// isPerson refuses an integration, which has no identity.
func isPerson(c *api.Call) error {
	if c.Caller.Session == "" {
		return fault.ErrForbidden
	}
	return nil
}

// startLink begins to link the caller's account.
func (s *Service) startLink(c *api.Call, given wanted) (begun, error) {
	return s.start(c, given, c.Caller.ID)
}

func (s *Service) comeToLink(c *api.Call, given returned) (identified, error) {
	return s.come(c, given, c.Caller.Role, c.Caller.ID)
}

// link links the caller's account with the user whom the provider has signed in.
func link(w *api.Writing, who identified) (api.NoContent, error) {
	p, err := who.by.again(w.Tx)
	if err == nil {
		err = p.link(w.Tx, w.Caller, who.subject)
	}
	return api.NoContent{}, err
}

func (p *Provider) link(tx *db.Tx, to *access.Caller, subject string) error {
	if err := lockAccounts(tx, to.Role, p.StoreKey); err != nil {
		return err
	}
	of, err := ownerOf(tx, to)
	if err == nil && of.ofOneStore {
		err = ErrOnlyStore
	}
	if err != nil {
		return err
	}
	own, err := identitiesOf(tx, p.StoreKey, to.ID)
	if err != nil {
		return err
	}
	found, known, err := findLiving(tx, p, to.Role, subject)
	switch {
	case err != nil:
		return err
	case known && found.userID == to.ID:
		return nil
	case known:
		return ErrTaken
	case len(own) >= IdentityLimit:
		return ErrManyLinks
	}
	i := p.identity(to.Role, subject)
	i.id, i.userID, i.linkedAt = tx.NewID(), to.ID, tx.ServerNow()
	inserted, err := insertIdentity(tx, &i)
	if err == nil && !inserted {
		err = ErrTaken
	}
	return err
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
func unlink(w *api.Writing) (none api.NoContent, err error) {
	if err := lockAccounts(w.Tx, w.Caller.Role, w.Caller.StoreKey); err != nil {
		return none, err
	}
	own, err := identitiesOf(w.Tx, w.Caller.StoreKey, w.Caller.ID)
	if err != nil {
		return none, err
	}
	who, err := ownerOf(w.Tx, w.Caller)
	if err != nil {
		return none, err
	}
	for i := range own {
		switch {
		case own[i].id != w.PathValue("identity"):
		case len(own) == 1 && !who.hasPassword:
			return none, ErrLastWay
		default:
			return none, deleteIdentity(w.Tx, &own[i])
		}
	}
	return none, fault.ErrNotFound
}

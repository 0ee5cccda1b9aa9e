package sso

import (
	"errors"
	"strings"

	"punchcard/core/access"
	"punchcard/core/audit"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/keytext"
)

// admitSeller returns the id of the seller that a user of a store's provider is. Their groups decide each time whether
// they may sell, and where. A user who is not known gets an account.
func admitSeller(tx *db.Tx, p *Provider, who *person) (sellerID string, err error) {
	found, known, err := findIdentity(tx, p, access.Seller, who.subject)
	if err != nil {
		return "", err
	}
	grant, in := p.sellerGrantOf(who.groups)
	switch {
	case !in:
		return found.userID, ErrNoRights
	case !known:
		return registerSeller(tx, p, who, grant)
	}
	s, exists, err := seller.FindByID(tx, p.StoreKey, found.userID)
	if err == nil && !(exists && s.Active) {
		err = ErrDisabled
	}
	if err == nil && grant.POSID != "" && grant.POSID != s.POSID {
		err = seller.Move(tx, p.StoreKey, s.ID, grant.POSID)
	}
	if err != nil {
		return found.userID, err
	}
	return s.ID, useIdentity(tx, &found)
}

// registerSeller adds a seller for a user of a provider, with the rights of a new one and without a password. A seller
// with the same e-mail address is never taken over: who owns it can link it.
func registerSeller(tx *db.Tx, p *Provider, who *person, grant SellerGrant) (string, error) {
	email := keytext.Clean(who.email)
	if email == "" {
		return "", ErrNoMail
	}
	first, last := keytext.Clean(who.firstName), keytext.Clean(who.lastName)
	if first+last == "" {
		first, _, _ = strings.Cut(email, "@") // tills show names
	}
	s, err := seller.Create(tx, p.StoreKey, seller.New{
		Email: email, FirstName: first, LastName: last, POSID: grant.POSID, Active: true,
	})
	if refused, is := errors.AsType[*seller.Refused](err); is && refused.EmailTaken {
		err = ErrExists
	}
	if err != nil {
		return "", err
	}
	audit.Of(tx).SetCreated(s.ID)
	return s.ID, p.join(tx, access.Seller, who.subject, s.ID)
}

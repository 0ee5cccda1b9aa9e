package sso

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Which administrators, or sellers of a store, may sign in with a password.
const (
	Everybody = "everybody"
	Unlinked  = "unlinked" // those without an identity at a provider that is switched on
	Nobody    = "nobody"
)

var errPasswordOff = fault.New(fault.Unauthenticated, "password_login_off", "Sign in with single sign-on.")

// mayUsePassword refuses administrators and sellers who must sign in by a provider.
func mayUsePassword(tx *db.Tx, _ *store.Store, e auth.PasswordUsed) error {
	who := e.Caller
	allowed, err := readPasswordLogin(tx, who.StoreKey)
	if err != nil || allowed == Everybody {
		return err
	}
	if allowed == Unlinked {
		linked, err := isLinked(tx, who)
		if err != nil || !linked {
			return err
		}
	}
	return errPasswordOff
}

// AllowPasswords lets all administrators sign in with a password again, or all sellers of a store.
func AllowPasswords(tx *db.Tx, storeKey int64) error {
	return writePasswordLogin(tx, storeKey, Everybody)
}

// isLinked reports whether an administrator or seller can sign in by a provider that is switched on.
func isLinked(tx *db.Tx, who *access.Caller) (bool, error) {
	own, err := identitiesOf(tx, who.StoreKey, who.ID)
	if err != nil || len(own) == 0 {
		return false, err
	}
	providers, err := allProviders(tx, who.StoreKey)
	for i := range providers {
		for j := range own {
			if providers[i].Enabled && providers[i].Issuer == own[j].issuer {
				return true, err
			}
		}
	}
	return false, err
}

// mayTakePasswords refuses to take passwords away unless there is another way in: for the administrator who does it, or
// for sellers.
func mayTakePasswords(tx *db.Tx, c *api.Call) error {
	if c.Store == nil {
		linked, err := isLinked(tx, c.Caller)
		if err == nil && !linked {
			err = ErrNotLinked
		}
		return err
	}
	providers, err := allProviders(tx, c.Store.Key)
	lets := func(p Provider) bool { return p.Enabled && p.letsIn(access.Seller) }
	if err == nil && !slices.ContainsFunc(providers, lets) {
		err = ErrNoSellerProvider
	}
	return err
}

// letsIn reports whether the provider can sign in users of a role.
func (p *Provider) letsIn(role access.Role) bool {
	if role == access.Seller {
		return len(p.SellerGrants) > 0
	}
	return len(p.Grants) > 0 || len(p.StoreGrants) > 0
}

// passwordView shows the administrators or sellers who may sign in with a password.
type passwordView struct {
	Allowed string `json:"allowed"` // everybody, unlinked, nobody
}

func readAllowed(g *form.Group) string {
	return g.Choice("allowed", []string{Everybody, Unlinked, Nobody}, form.NotBlank)
}

func getPasswordLogin(r *api.Reading) (view passwordView, err error) {
	view.Allowed, err = readPasswordLogin(r.Tx, storeKey(r.Call))
	return view, err
}

// setPasswordLogin changes who may sign in with a password.
func setPasswordLogin(w *api.Writing, allowed string) (api.NoContent, error) {
	if allowed != Everybody {
		if err := mayTakePasswords(w.Tx, w.Call); err != nil {
			return api.NoContent{}, err
		}
	}
	return api.NoContent{}, writePasswordLogin(w.Tx, storeKey(w.Call), allowed)
}

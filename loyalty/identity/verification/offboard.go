package verification

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// accessOf counts the ways in of a person or an integration. All of them end when they are switched off.
type accessOf struct {
	Sessions       int64 `json:"sessions"`
	Links          int64 `json:"links"` // by which they can choose a password, invitations included
	PermanentToken bool  `json:"permanentToken"`
}

func showAdministratorAccess(r *api.Reading) (accessOf, error) {
	view, err := showAccess(r.Tx, access.Administrator, 0, r.PathValue("admin"))
	if err != nil {
		return view, err
	}
	a, _, err := admin.FindByID(r.Tx, r.PathValue("admin"))
	view.PermanentToken = a.External && a.Active
	return view, err
}

func showSellerAccess(r *api.Reading) (accessOf, error) {
	return showAccess(r.Tx, access.Seller, r.Store.Key, r.PathValue("seller"))
}

func showAccess(tx *db.Tx, role access.Role, storeKey int64, id string) (view accessOf, err error) {
	_, found, err := findUser(tx, role, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return view, err
	}
	if view.Sessions, err = auth.CountSessions(tx, id); err != nil {
		return view, err
	}
	view.Links, err = countLinks(tx, id)
	return view, err
}

// sessionsEnded ends all links of a user whose sessions end with them.
func sessionsEnded(tx *db.Tx, _ *store.Store, e access.SessionsEnded) error {
	if !e.Links {
		return nil
	}
	return deleteAllTokens(tx, e.UserID)
}

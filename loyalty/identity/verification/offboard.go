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

func getAdministratorAccess(c *api.Call) error {
	return showAccess(c, access.Administrator, 0, c.PathValue("admin"), func(tx *db.Tx, view *accessOf) error {
		a, _, err := admin.FindByID(tx, c.PathValue("admin"))
		view.PermanentToken = a.External && a.Active
		return err
	})
}

func getSellerAccess(c *api.Call) error {
	return showAccess(c, access.Seller, c.Store.Key, c.PathValue("seller"), nil)
}

func showAccess(c *api.Call, role access.Role, storeKey int64, id string,
	more func(tx *db.Tx, view *accessOf) error) error {
	var view accessOf
	err := c.Read(func(tx *db.Tx) error {
		_, found, err := findUser(tx, role, storeKey, id)
		if err == nil && !found {
			err = fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		if view.Sessions, err = auth.CountSessions(tx, id); err != nil {
			return err
		}
		if view.Links, err = countLinks(tx, id); err != nil || more == nil {
			return err
		}
		return more(tx, &view)
	})
	if err != nil {
		return err
	}
	return c.OK(view)
}

// sessionsEnded ends all links of a user whose sessions end with them.
func sessionsEnded(tx *db.Tx, _ *store.Store, e access.SessionsEnded) error {
	if !e.Links {
		return nil
	}
	return deleteAllTokens(tx, e.UserID)
}

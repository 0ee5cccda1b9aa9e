package auth

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
)

// me is the caller with their permissions, so that an application hides the rest.
type me struct {
	Role      access.Role `json:"role"`
	ID        string      `json:"id"` // empty for the master key
	Username  string      `json:"username"`
	FirstName string      `json:"firstName,omitempty"` // of administrators and sellers
	LastName  string      `json:"lastName,omitempty"`
	Email     string      `json:"email,omitempty"`
	// Permissions are the accesses of an administrator to each resource, with VIEW where there is MODIFY. The master
	// role has all.
	Permissions map[string][]string `json:"permissions"`
	Master      bool                `json:"master"`
	Integration bool                `json:"integration"` // by a permanent key
	Blocked     bool                `json:"blocked"`     // a customer who may only read
	// MustEnroll tells that the caller can only add a second factor until they have one.
	MustEnroll bool     `json:"mustEnrollFactor,omitempty"`
	Store      *meStore `json:"store,omitempty"` // of customers and sellers; administrators work in all
	POSID      string   `json:"posId,omitempty"` // of sellers

	AllowPointTransfer bool `json:"allowPointTransfer,omitempty"` // of sellers
}

type meStore struct {
	ID       string `json:"storeId"`
	Code     string `json:"code"`
	Name     string `json:"name"`
	Currency string `json:"currency"`
	Sandbox  bool   `json:"sandbox"`
}

// getMe shows the caller. Permissions are those of now, not those of the log-in.
func (a *Auth) getMe(c *api.Call) error {
	who := c.Caller
	response := me{
		Role: who.Role, ID: who.ID, Username: who.Username, Permissions: map[string][]string{}, Master: who.Master,
		Integration: who.Permanent, Blocked: who.Blocked, MustEnroll: who.MustEnroll,
	}
	for _, resource := range access.Resources {
		for _, granted := range []string{access.View, access.Modify} {
			if who.Allowed(resource, granted) {
				response.Permissions[resource] = append(response.Permissions[resource], granted)
			}
		}
	}
	if who.StoreKey != 0 {
		home, _, err := a.stores.ByKey(c.Context(), who.StoreKey)
		if err != nil {
			return err
		}
		response.Store = &meStore{home.ID, home.Code, home.Name, home.Currency, home.Sandbox}
	}
	err := c.Read(func(tx *db.Tx) error { return response.name(tx, who) })
	if err != nil {
		return err
	}
	return c.OK(response)
}

// name adds what the accounts of staff tell.
func (m *me) name(tx *db.Tx, who *access.Caller) error {
	switch {
	case who.ID == "":
	case who.Role == access.Administrator:
		found, _, err := admin.FindByID(tx, who.ID)
		m.FirstName, m.LastName, m.Email = found.FirstName, found.LastName, found.Email
		return err
	case who.Role == access.Seller:
		found, _, err := seller.FindByID(tx, who.StoreKey, who.ID)
		m.FirstName, m.LastName, m.Email, m.POSID = found.FirstName, found.LastName, found.Email, found.POSID
		m.AllowPointTransfer = found.AllowPointTransfer
		return err
	}
	return nil
}

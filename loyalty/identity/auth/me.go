package auth

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
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
	// Stores are those in which an administrator has a role, if they have none in all stores. Permissions is empty then.
	Stores []meRole `json:"stores,omitempty"`

	AllowPointTransfer bool `json:"allowPointTransfer,omitempty"` // of sellers

	StoreCodes []string `json:"storeCodes,omitempty"` // that an API key opens; none for all
}

// meRole is a role in a store and what it allows there.
type meRole struct {
	meStore
	Role        string              `json:"role"` // name
	Permissions map[string][]string `json:"permissions"`
}

type meStore struct {
	ID       string `json:"storeId"`
	Code     string `json:"code"`
	Name     string `json:"name"`
	Currency string `json:"currency"`
	Sandbox  bool   `json:"sandbox"`
}

// showMe shows the caller. Permissions are those of now, not those of the log-in.
func (a *Auth) showMe(r *api.Reading) (me, error) {
	who := r.Caller
	response := me{
		Role: who.Role, ID: who.ID, Username: who.Username, Master: who.Master,
		Integration: who.Permanent, Blocked: who.Blocked, MustEnroll: who.MustEnroll,
	}
	response.Permissions = permissionsOf(who)
	if who.StoreKey != 0 {
		home, _, err := a.stores.ByKey(r.Context(), who.StoreKey)
		if err != nil {
			return response, err
		}
		response.Store = newStoreView(home)
	}
	if who.Key != nil {
		for _, key := range who.Key.Stores {
			s, _, err := a.stores.ByKey(r.Context(), key)
			if err != nil {
				return response, err
			}
			response.StoreCodes = append(response.StoreCodes, s.Code)
		}
	}
	if err := response.name(r.Tx, who); err != nil || who.Stores == nil {
		return response, err
	}
	err := a.addStores(r.Call, r.Tx, &response)
	return response, err
}

func newStoreView(s *store.Store) *meStore {
	return &meStore{s.ID, s.Code, s.Name, s.Currency, s.Sandbox}
}

// permissionsOf lists what a caller may do, with VIEW where there is MODIFY.
func permissionsOf(who *access.Caller) map[string][]string {
	all := map[string][]string{}
	for _, resource := range access.Resources {
		for _, granted := range []string{access.View, access.Modify} {
			if who.Allowed(resource, granted) {
				all[resource] = append(all[resource], granted)
			}
		}
	}
	return all
}

// addStores adds the active stores in which the caller has a role.
func (a *Auth) addStores(c *api.Call, tx *db.Tx, m *me) error {
	found, _, err := admin.FindByID(tx, c.Caller.ID)
	if err != nil {
		return err
	}
	for _, in := range found.StoreRoles {
		s, _, err := a.stores.ByKey(c.Context(), in.StoreKey)
		if err != nil {
			return err
		}
		role, _, err := admin.FindRole(tx, in.RoleID)
		if err != nil {
			return err
		}
		if s == nil || !s.Active {
			continue
		}
		allowed := permissionsOf(c.Caller.In(in.StoreKey))
		for _, resource := range access.Outside {
			delete(allowed, resource)
		}
		m.Stores = append(m.Stores, meRole{*newStoreView(s), role.Name, allowed})
	}
	return nil
}

// name adds what the accounts of staff tell.
func (m *me) name(tx *db.Tx, who *access.Caller) error {
	switch {
	case who.ID == "" || who.Key != nil:
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

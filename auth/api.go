package auth

import (
	"punchcard/access"
	"punchcard/api"
	"punchcard/customer"
	"punchcard/platform/fault"
	"punchcard/seller"
)

// Endpoints are those of group A that open and close sessions. Paths whose store is called loginStore
// look it up themselves, because a log-in to a store that is switched off answers 401 and not 404.
func (a *Auth) Endpoints() []api.Endpoint {
	anyone, loggedIn := access.Public(), access.Only(access.Administrator, access.Customer, access.Seller)
	return []api.Endpoint{
		{Method: "POST", Path: "/api/admin/login_check", Access: anyone, Handle: a.logInAdministrator},
		{Method: "POST", Path: "/api/{storeCode}/admin/login_check", Access: anyone, Handle: a.logInAdministrator},
		{Method: "POST", Path: "/api/customer/login_check", Access: anyone, Handle: a.logInCustomer},
		{Method: "POST", Path: "/api/{loginStore}/customer/login_check", Access: anyone, Handle: a.logInCustomer},
		{Method: "POST", Path: "/api/{loginStore}/member/login_check", Access: anyone, Handle: a.logInCustomer},
		{Method: "POST", Path: "/api/seller/login_check", Access: anyone, Handle: a.logInSeller},
		{Method: "POST", Path: "/api/{loginStore}/seller/login_check", Access: anyone, Handle: a.logInSeller},
		{Method: "POST", Path: "/api/token/refresh", Access: anyone, Handle: a.refresh},
		{Method: "POST", Path: "/api/{storeCode}/token/refresh", Access: anyone, Handle: a.refresh},
		{Method: "GET", Path: "/api/token/revoke", Access: loggedIn, Handle: a.revoke},
		{Method: "POST", Path: "/api/token/revoke", Access: loggedIn, Handle: a.revoke},
	}
}

func (a *Auth) logInAdministrator(c *api.Call) error {
	return a.logIn(c, access.Administrator, findAdministrator)
}

func (a *Auth) logInCustomer(c *api.Call) error {
	find, err := a.lookupOf(c, findCustomer, customer.StoresWithLogin)
	if err != nil {
		return err
	}
	return a.logIn(c, access.Customer, find)
}

func (a *Auth) logInSeller(c *api.Call) error {
	find, err := a.lookupOf(c, findSeller, seller.StoresWithLogin)
	if err != nil {
		return err
	}
	return a.logIn(c, access.Seller, find)
}

// lookupOf chooses where a log-in looks for its name: in the store of the path, or anywhere.
func (a *Auth) lookupOf(c *api.Call, find storeLookup, knowing storesKnowing) (lookup, error) {
	code := c.PathValue("loginStore")
	if code == "" {
		return a.anywhere(c.Context(), find, knowing), nil
	}
	s, active, err := a.stores.ByCode(c.Context(), code)
	switch {
	case err != nil:
		return nil, err
	case active:
		return find.in(s.Key), nil
	case s != nil: // switched off
		return nil, errBadCredentials
	}
	return nil, fault.ErrNotFound
}

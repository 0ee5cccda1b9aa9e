package auth

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/fault"
)

// Endpoints open and end sessions and change passwords. Handlers of paths with {loginStore} look up the store
// themselves, because a log-in to an inactive store fails with 401 instead of 404.
func (a *Auth) Endpoints() []api.Endpoint {
	logInAdministrator := func(c *api.Call) error {
		return a.logIn(c, access.Administrator, findAdministrator)
	}
	logIn := func(path, who string, handle func(*api.Call) error) api.Endpoint {
		audited := api.Audited(audit.AuthenticationSuccess, who)
		if who == "administrator" {
			audited.Entity = "admin"
		}
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Handle: handle, Audit: audited,
			Summary: "Log in as " + who, Form: api.Reads(readCredentials), Response: pair{}, Unkeyed: true,
			NoDryRun: api.LogsIn}
	}
	refresh := func(path string) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Handle:  a.refresh,
			Summary: "Exchange a refresh token for a new pair", Form: api.Reads(readRefresh), Response: pair{},
			Unkeyed: true, Audit: api.Audited("RefreshToken", "token"), NoDryRun: api.LogsIn}
	}
	anyRole := access.Only(access.Administrator, access.Customer, access.Seller).Unenrolled()
	return append(slices.Concat(a.passwordEndpoints(), a.factorEndpoints()), []api.Endpoint{
		logIn("/api/admin/login_check", "administrator", logInAdministrator),
		logIn("/api/{storeCode}/admin/login_check", "administrator", logInAdministrator),
		logIn("/api/customer/login_check", "customer", a.logInCustomer),
		logIn("/api/{loginStore}/customer/login_check", "customer", a.logInCustomer),
		logIn("/api/{loginStore}/member/login_check", "customer", a.logInCustomer),
		logIn("/api/seller/login_check", "seller", a.logInSeller),
		logIn("/api/{loginStore}/seller/login_check", "seller", a.logInSeller),
		refresh("/api/token/refresh"),
		refresh("/api/{storeCode}/token/refresh"),
		a.browserEndpoint(),
		a.oauthEndpoint(),
		{Method: "GET", Path: "/api/me/sessions", Access: anyRole, Handle: a.listSessions,
			Summary: "List the sessions of the caller", Response: sessionList{}},
		{Method: "DELETE", Path: "/api/me/sessions/{session}", Access: anyRole.Blocked(), Factor: api.Restricts,
			Handle: a.endSession, Summary: "End a session of the caller", Response: api.NoContent{}, Unkeyed: true,
			Audit: api.Audited("RevokeToken", "token"), NoDryRun: api.LogsIn},
		{Method: "GET", Path: "/api/me", Access: anyRole.WithKeys(), Handle: a.getMe,
			Summary: "Show the caller and what they may do", Response: me{}},
		{Method: "GET", Path: "/api/token/revoke", Access: anyRole, Handle: a.revoke,
			Summary: "Delete all refresh tokens of the caller", Unkeyed: true, Audit: api.Audited("RevokeToken", "token")},
		{Method: "POST", Path: "/api/token/revoke", Access: anyRole.Blocked(), Factor: api.Restricts,
			Handle: a.revokeSome, Summary: "Log out of one session, of all, or delete all refresh tokens of the caller",
			Form: api.Reads(readLogOut), Unkeyed: true,
			Audit: api.Audited("RevokeToken", "token"), NoDryRun: api.LogsIn},
	}...)
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

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
	asAdministrator := a.logInAs(access.Administrator, func(*api.Call) (lookup, error) { return findAdministrator, nil })
	asCustomer := a.logInAs(access.Customer, a.lookupOf(findCustomer, customer.StoresWithLogin))
	asSeller := a.logInAs(access.Seller, a.lookupOf(findSeller, seller.StoresWithLogin))
	logIn := func(path, who string, do api.Operation) api.Endpoint {
		audited := api.Audited(audit.AuthenticationSuccess, who)
		if who == "administrator" {
			audited.Entity = "admin"
		}
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Do: do, Audit: audited, Summary: "Log in as " + who, Unkeyed: true, NoDryRun: api.LogsIn}
	}
	refresh := func(path string) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: path, Access: access.Public(), Factor: api.NoSession,
			Do:      api.Respond(api.LenientBody("", readRefresh), a.refresh),
			Summary: "Exchange a refresh token for a new pair",
			Unkeyed: true, Audit: api.Audited("RefreshToken", "token"), NoDryRun: api.LogsIn}
	}
	anyRole := access.Only(access.Administrator, access.Customer, access.Seller).Unenrolled()
	return append(slices.Concat(a.passwordEndpoints(), a.factorEndpoints()), []api.Endpoint{
		logIn("/api/admin/login_check", "administrator", asAdministrator),
		logIn("/api/{storeCode}/admin/login_check", "administrator", asAdministrator),
		logIn("/api/customer/login_check", "customer", asCustomer),
		logIn("/api/{loginStore}/customer/login_check", "customer", asCustomer),
		logIn("/api/{loginStore}/member/login_check", "customer", asCustomer),
		logIn("/api/seller/login_check", "seller", asSeller),
		logIn("/api/{loginStore}/seller/login_check", "seller", asSeller),
		refresh("/api/token/refresh"),
		refresh("/api/{storeCode}/token/refresh"),
		a.browserEndpoint(),
		a.oauthEndpoint(),
		{Method: "GET", Path: "/api/me/sessions", Access: anyRole, Do: api.Show(listSessions),
			Summary: "List the sessions of the caller"},
		{Method: "DELETE", Path: "/api/me/sessions/{session}", Access: anyRole.Blocked(), Factor: api.Restricts,
			Do: api.Act(a.endSession), Summary: "End a session of the caller", Unkeyed: true,
			Audit: api.Audited("RevokeToken", "token"), NoDryRun: api.LogsIn},
		{Method: "GET", Path: "/api/me", Access: anyRole.WithKeys(), Do: api.Show(a.showMe),
			Summary: "Show the caller and what they may do"},
		{Method: "GET", Path: "/api/token/revoke", Access: anyRole, Do: api.Act(revoke),
			Summary: "Delete all refresh tokens of the caller", Unkeyed: true, Audit: api.Audited("RevokeToken", "token")},
		{Method: "POST", Path: "/api/token/revoke", Access: anyRole.Blocked(), Factor: api.Restricts,
			Do:      api.Write(api.UnreadBody(api.Reads(readLogOut)), a.revokeSome),
			Summary: "Log out of one session, of all, or delete all refresh tokens of the caller", Unkeyed: true,
			Audit: api.Audited("RevokeToken", "token"), NoDryRun: api.LogsIn},
	}...)
}

// lookupOf chooses where a log-in looks for its name: in the store of the path, or anywhere.
func (a *Auth) lookupOf(find storeLookup, knowing storesKnowing) func(c *api.Call) (lookup, error) {
	return func(c *api.Call) (lookup, error) {
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
}

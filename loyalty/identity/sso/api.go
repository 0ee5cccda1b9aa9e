package sso

import (
	"errors"
	"net/url"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/outbound"
)

// Endpoints sign administrators and sellers in and manage providers: docs/behaviour/single-sign-on.md.
func (s *Service) Endpoints() []api.Endpoint {
	own, selling := access.Only(access.Administrator), access.Only(access.Seller)
	all := append(s.providerEndpoints("/api", "", 0), s.providerEndpoints("/api/{storeCode}", " of a store", inStore)...)
	all = append(all, s.linkEndpoints("/api/me/identities", "administrator", own, readStart)...)
	all = append(all, s.linkEndpoints("/api/{storeCode}/seller/identities", "seller", selling, readSellerStart)...)
	return append(all, []api.Endpoint{
		{Method: "GET", Path: "/api/session/providers", Access: access.Public(), Do: api.Show(listButtons),
			Summary: "List the providers that administrators can sign in with"},
		{Method: "GET", Path: "/api/{storeCode}/session/providers", Access: access.Public(), Do: api.Show(listStoreButtons),
			Summary: "List the providers that administrators and sellers of a store can sign in with"},
		{Method: "POST", Path: "/api/session/start", Access: access.Public(), Factor: api.NoSession,
			Do:      api.Respond(api.Body("", readStart), s.startLogIn).First(s.fromPage),
			Summary: "Begin a sign-in at an identity provider",
			Audit:   ofProvider("StartSignIn"), Unkeyed: true, NoDryRun: api.LogsIn},
		{Method: "POST", Path: "/api/{storeCode}/session/start", Access: access.Public(), Factor: api.NoSession,
			Do:      api.Respond(api.Body("", readStartInStore), s.startLogIn).First(s.fromPage),
			Summary: "Begin a sign-in at an identity provider of a store",
			Audit:   ofProvider("StartSignIn"), Unkeyed: true, NoDryRun: api.LogsIn},
		{Method: "POST", Path: "/api/session/finish", Access: access.Public(), Factor: api.NoSession,
			Do:      api.Respond(api.Body("", readReturned), s.logIn(s.cockpit())).First(s.fromPage),
			Summary: "Sign in with what the identity provider has sent to the browser",
			Audit:   api.Audited("AuthenticationSuccess", "admin"), Unkeyed: true,
			NoDryRun: api.LogsIn},
		{Method: "POST", Path: "/api/{storeCode}/session/finish", Access: access.Public(), Factor: api.NoSession,
			Do:      api.Respond(api.Body("", readReturned), s.logIn(s.till())).First(s.fromPage),
			Summary: "Sign in at the till with what an identity provider of the store has sent to the browser",
			Audit:   api.Audited("AuthenticationSuccess", "seller"), Unkeyed: true,
			NoDryRun: api.LogsIn},
	}...)
}

func ofProvider(event string) api.Audit { return api.Audited(event, "identityProvider") }

func (s *Service) linkEndpoints(
	path, who string, rule access.Rule, read func(g *form.Group) wanted,
) []api.Endpoint {
	came := api.Prepared(api.Body("", readReturned), s.comeToLink)
	identity := func(event string) api.Audit { return api.Audited(event, "identity") }
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: rule, Do: api.Show(listLinks),
			Summary: "List the identities that the calling " + who + " can sign in with"},
		{Method: "POST", Path: path + "/start", Access: rule, Factor: api.Always,
			Do:      api.Respond(api.Body("", read), s.startLink).First(s.fromPage).First(isPerson),
			Summary: "Begin to link the own account with an identity",
			Audit:   identity("StartLink"), Unkeyed: true, NoDryRun: api.LogsIn},
		{Method: "POST", Path: path, Access: rule, Factor: api.BeganThere,
			Do:      api.Write(came, link).First(s.fromPage).First(isPerson),
			Summary: "Link the own account with the identity that the provider has sent to the browser",
			Audit:   identity("LinkIdentity"), Unkeyed: true, NoDryRun: api.LogsIn},
		{Method: "DELETE", Path: path + "/{identity}", Access: rule, Factor: api.Restricts, Do: api.Act(unlink),
			Summary: "Unlink the own account from an identity",
			Audit:   identity("UnlinkIdentity"), NoDryRun: api.LogsIn},
	}
}

// inStore stands for any store where only the kind of a provider counts.
const inStore = -1

// providerEndpoints manage the providers of the installation, or those of a store.
func (s *Service) providerEndpoints(base, of string, storeKey int64) []api.Endpoint {
	view := access.AdministratorWith(access.Security, access.View)
	modify := access.AdministratorWith(access.Security, access.Modify)
	issuer := api.Body("", func(g *form.Group) Provider { return Provider{Issuer: readIssuer(g, s.Client)} })
	who := "administrators"
	if storeKey == inStore {
		who = "sellers" + of
	}
	path := base + "/admin/identity-provider"
	one := path + "/{identityProvider}"
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Do: api.Show(s.list),
			Summary: "List the identity providers" + of},
		{Method: "POST", Path: path, Access: modify, Factor: api.Always,
			Do:      api.Write(s.body(readNew, storeKey), s.add),
			Summary: "Add an identity provider" + of, Audit: ofProvider("CreateIdentityProvider")},
		{Method: "GET", Path: one, Access: view, Do: api.Respond(api.InCall(nil, named), s.show),
			Summary: "Show an identity provider" + of},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Always,
			Do:      api.WriteTo(findNamed, s.body(readDraft, storeKey), s.change),
			Summary: "Replace an identity provider" + of + "; a blank secret keeps the present one",
			Audit:   ofProvider("UpdateIdentityProvider")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Restricts, Do: api.Act(removeProvider),
			Summary: "Remove an identity provider" + of,
			Audit:   ofProvider("DeleteIdentityProvider")},
		{Method: "POST", Path: one + "/test", Access: modify, Factor: api.NoWrite,
			Do:      api.Respond(api.InCall(nil, named), s.test),
			Summary: "Read the document and the keys of an identity provider" + of,
			Audit:   ofProvider("TestIdentityProvider"), Unkeyed: true, NoDryRun: api.CallsProvider},
		{Method: "POST", Path: path + "/test", Access: modify, Factor: api.NoWrite,
			Do:      api.Respond(issuer, s.test),
			Summary: "Read the document and the keys of an issuer, before an identity provider" + of + " is added",
			Audit:   ofProvider("TestIdentityProvider"), Unkeyed: true, NoDryRun: api.CallsProvider},
		{Method: "POST", Path: path + "/preview", Access: modify, Factor: api.NoWrite,
			Do: api.Read(api.Body("", readPreview), preview), Summary: "Show what groups of an identity provider" + of + " give",
			Unkeyed: true, NoDryRun: api.CallsProvider},
		{Method: "GET", Path: base + "/admin/password-login", Access: view,
			Do: api.Show(getPasswordLogin), Summary: "Show which " + who + " may sign in with a password"},
		{Method: "PUT", Path: base + "/admin/password-login", Access: modify, Factor: api.Always,
			Do:      api.Write(api.Body("", readAllowed), setPasswordLogin),
			Summary: "Change which " + who + " may sign in with a password",
			Audit:   api.Audited("UpdatePasswordLogin", "passwordLogin")},
		{Method: "POST", Path: base + "/session/logout/{identityProvider}", Access: access.Public(),
			Factor:  api.NoSession,
			Do:      api.Write(api.Prepared(api.Body("", readLogout), s.checkLogOut), s.logOut).First(s.mayTry),
			Summary: "End the sessions that an identity provider" + of + " names in a logout token",
			Audit:   ofProvider("EndSessionsByProvider"), Unkeyed: true,
			NoDryRun: api.LogsIn},
	}
}

type buttonList struct {
	Providers []buttonView `json:"providers"`
}

type buttonView struct {
	ID   string `json:"providerId"`
	Name string `json:"name"`
}

func listButtons(r *api.Reading) (buttonList, error) {
	list := buttonList{Providers: []buttonView{}}
	all, err := allProviders(r.Tx, 0)
	for i := range all {
		if all[i].Enabled {
			list.Providers = append(list.Providers, buttonView{all[i].ID, all[i].Name})
		}
	}
	return list, err
}

type storeButtonList struct {
	Providers []storeButtonView `json:"providers"`
}

type storeButtonView struct {
	ID             string `json:"providerId"`
	Name           string `json:"name"`
	Administrators bool   `json:"administrators"` // who can sign in there
	Sellers        bool   `json:"sellers"`
}

func listStoreButtons(r *api.Reading) (storeButtonList, error) {
	list := storeButtonList{Providers: []storeButtonView{}}
	all, err := allProviders(r.Tx, r.Store.Key)
	for i := range all {
		if p := &all[i]; p.Enabled {
			list.Providers = append(list.Providers, storeButtonView{
				p.ID, p.Name, p.letsIn(access.Administrator), p.letsIn(access.Seller),
			})
		}
	}
	return list, err
}

// token is the response to a sign-in, as that of POST /api/session.
type token struct {
	Token string `json:"token"` // access token, which the page keeps in memory
}

type providerList struct {
	Providers []providerView `json:"providers"`

	// What the addresses of a new provider begin with, followed by its id; empty while the public address is unknown.
	RedirectBase string `json:"redirectBase"`
	LogoutBase   string `json:"logoutBase"`

	Roles []roleView `json:"roles,omitempty"` // that the caller may give in the store, for providers of one
}

type roleView struct {
	ID   int64  `json:"roleId"`
	Name string `json:"name"`
}

type providerView struct {
	ID         string   `json:"providerId"`
	Name       string   `json:"name"`
	Issuer     string   `json:"issuer"`
	ClientID   string   `json:"clientId"`
	HasSecret  bool     `json:"hasSecret"` // the secret itself is never shown
	Scopes     []string `json:"scopes"`
	GroupClaim string   `json:"groupClaim"`
	Grants     []Grant  `json:"grants"`
	Enabled    bool     `json:"enabled"`

	StoreGrants  []StoreGrant  `json:"storeGrants,omitempty"`  // of a provider of the installation
	SellerGrants []SellerGrant `json:"sellerGrants,omitempty"` // of a provider of a store

	// What the provider has to know of this server; empty while its public address is unknown.
	RedirectURI string `json:"redirectUri"`
	LogoutURI   string `json:"logoutUri"`
}

func (s *Service) view(c *api.Call, p *Provider) providerView {
	v := providerView{
		ID: p.ID, Name: p.Name, Issuer: p.Issuer, ClientID: p.ClientID, HasSecret: p.clientSecret != "", Scopes: p.Scopes,
		GroupClaim: p.GroupClaim, Grants: p.Grants, Enabled: p.Enabled, StoreGrants: p.StoreGrants,
		SellerGrants: p.SellerGrants,
	}
	if redirect, logout := s.addresses(c); redirect != "" {
		v.RedirectURI, v.LogoutURI = redirect+p.ID, logout+p.ID
	}
	return v
}

// addresses returns what the addresses that providers have to know begin with, before the id of the provider; nothing
// while the public address is unknown.
func (s *Service) addresses(c *api.Call) (redirect, logout string) {
	base := s.Base()
	switch {
	case base == "":
		return "", ""
	case c.Store != nil:
		return base + ReturnPath, base + "/api/" + url.PathEscape(c.Store.Code) + "/session/logout/"
	default:
		return base + ReturnPath, base + "/api/session/logout/"
	}
}

func (s *Service) list(r *api.Reading) (providerList, error) {
	list := providerList{Providers: []providerView{}}
	list.RedirectBase, list.LogoutBase = s.addresses(r.Call)
	all, err := allProviders(r.Tx, storeKey(r.Call))
	for i := range all {
		list.Providers = append(list.Providers, s.view(r.Call, &all[i]))
	}
	if err != nil || r.Store == nil {
		return list, err
	}
	roles, err := admin.RolesWithin(r.Tx, r.Caller)
	for i := range roles {
		list.Roles = append(list.Roles, roleView{roles[i].ID, roles[i].Name})
	}
	return list, err
}

// named reads the provider of the path.
func named(c *api.Call) (p Provider, err error) {
	err = c.Read(func(tx *db.Tx) (err error) {
		p, err = findNamed(&api.Writing{Call: c, Tx: tx})
		return err
	})
	return p, err
}

func findNamed(w *api.Writing) (Provider, error) {
	return findProvider(w.Tx, storeKey(w.Call), w.PathValue("identityProvider"))
}

func (s *Service) show(c *api.Call, p Provider) (providerView, error) { return s.view(c, &p), nil }

// reader reads the form of a provider.
type reader func(g *form.Group, client *outbound.Client, storeKey int64) draft

func (s *Service) body(read reader, ofStore int64) api.Input[reader] {
	return api.BodyInCall("identityProvider", func(c *api.Call, g *form.Group) (reader, error) {
		read(g, s.Client, storeKey(c))
		return read, nil
	}, func(g *form.Group) { read(g, s.Client, ofStore) })
}

// again reads a form once more. The group has the errors of this try of the transaction only.
func (s *Service) again(w *api.Writing, read reader) (g *form.Group, d draft, err error) {
	body, err := w.Body()
	g = form.Read(body, "identityProvider")
	return g, read(g, s.Client, storeKey(w.Call)), err
}

func (s *Service) add(w *api.Writing, read reader) (providerView, error) {
	g, d, err := s.again(w, read)
	if err != nil {
		return providerView{}, err
	}
	saved, err := add(w.Tx, g, d, w.Caller)
	w.Entry().SetEntity(saved.ID)
	return s.view(w.Call, &saved), err
}

func (s *Service) change(w *api.Writing, p Provider, read reader) (providerView, error) {
	g, d, err := s.again(w, read)
	if err != nil {
		return providerView{}, err
	}
	saved, err := change(w.Tx, g, p.ID, d, w.Caller)
	return s.view(w.Call, &saved), err
}

func removeProvider(w *api.Writing) (api.NoContent, error) {
	return api.NoContent{}, deleteProvider(w.Tx, storeKey(w.Call), w.PathValue("identityProvider"))
}

type testResult struct {
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
}

// test tries a provider or an issuer that no provider has yet, and shows what is wrong.
func (s *Service) test(c *api.Call, p Provider) (testResult, error) {
	err := s.try(c, &p)
	if problem, is := errors.AsType[*fault.Error](err); is {
		return testResult{Problem: problem.Message}, nil
	}
	return testResult{OK: true}, err
}

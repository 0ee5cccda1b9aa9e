package sso

import (
	"errors"
	"net/url"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/loyalty/identity/admin"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints sign administrators and sellers in and manage providers: docs/behaviour/single-sign-on.md.
func (s *Service) Endpoints() []api.Endpoint {
	own, selling := access.Only(access.Administrator), access.Only(access.Seller)
	all := append(s.providerEndpoints("/api", "", 0), s.providerEndpoints("/api/{storeCode}", " of a store", inStore)...)
	all = append(all, s.linkEndpoints("/api/me/identities", "administrator", own, readStart)...)
	all = append(all, s.linkEndpoints("/api/{storeCode}/seller/identities", "seller", selling, readSellerStart)...)
	return append(all, []api.Endpoint{
		{Method: "GET", Path: "/api/session/providers", Access: access.Public(), Handle: listButtons,
			Summary: "List the providers that administrators can sign in with", Response: buttonList{}},
		{Method: "GET", Path: "/api/{storeCode}/session/providers", Access: access.Public(), Handle: listStoreButtons,
			Summary:  "List the providers that administrators and sellers of a store can sign in with",
			Response: storeButtonList{}},
		{Method: "POST", Path: "/api/session/start", Access: access.Public(), Factor: api.NoSession,
			Handle:  func(c *api.Call) error { return s.start(c, readStart, "") },
			Summary: "Begin a sign-in at an identity provider", Form: api.Reads(readStart), Response: begun{},
			Audit: ofProvider("StartSignIn"), Unkeyed: true, NoDryRun: api.LogsIn},
		{Method: "POST", Path: "/api/{storeCode}/session/start", Access: access.Public(), Factor: api.NoSession,
			Handle:  func(c *api.Call) error { return s.start(c, readStartInStore, "") },
			Summary: "Begin a sign-in at an identity provider of a store", Form: api.Reads(readStartInStore),
			Response: begun{}, Audit: ofProvider("StartSignIn"), Unkeyed: true, NoDryRun: api.LogsIn},
		{Method: "POST", Path: "/api/session/finish", Access: access.Public(), Factor: api.NoSession,
			Handle:  func(c *api.Call) error { return s.logIn(c, s.cockpit()) },
			Summary: "Sign in with what the identity provider has sent to the browser", Form: api.Reads(readReturned),
			Response: token{}, Audit: api.Audited("AuthenticationSuccess", "admin"), Unkeyed: true,
			NoDryRun: api.LogsIn},
		{Method: "POST", Path: "/api/{storeCode}/session/finish", Access: access.Public(), Factor: api.NoSession,
			Handle:  func(c *api.Call) error { return s.logIn(c, s.till()) },
			Summary: "Sign in at the till with what an identity provider of the store has sent to the browser",
			Form:    api.Reads(readReturned), Response: token{},
			Audit: api.Audited("AuthenticationSuccess", "seller"), Unkeyed: true,
			NoDryRun: api.LogsIn},
	}...)
}

func ofProvider(event string) api.Audit { return api.Audited(event, "identityProvider") }

func (s *Service) linkEndpoints(
	path, who string, rule access.Rule, read func(g *form.Group) wanted,
) []api.Endpoint {
	identity := func(event string) api.Audit { return api.Audited(event, "identity") }
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: rule, Handle: s.listLinks,
			Summary: "List the identities that the calling " + who + " can sign in with", Response: linkList{}},
		{Method: "POST", Path: path + "/start", Access: rule, Factor: api.Always,
			Handle:  func(c *api.Call) error { return s.startLink(c, read) },
			Summary: "Begin to link the own account with an identity", Form: api.Reads(readStart), Response: begun{},
			Audit: identity("StartLink"), Unkeyed: true, NoDryRun: api.LogsIn},
		{Method: "POST", Path: path, Access: rule, Factor: api.BeganThere, Handle: s.link,
			Summary: "Link the own account with the identity that the provider has sent to the browser",
			Form:    api.Reads(readReturned), Response: api.NoContent{}, Audit: identity("LinkIdentity"), Unkeyed: true,
			NoDryRun: api.LogsIn},
		{Method: "DELETE", Path: path + "/{identity}", Access: rule, Factor: api.Restricts, Handle: s.unlink,
			Summary: "Unlink the own account from an identity", Response: api.NoContent{},
			Audit: identity("UnlinkIdentity"), NoDryRun: api.LogsIn},
	}
}

// inStore stands for any store where only the kind of a provider counts.
const inStore = -1

// providerEndpoints manage the providers of the installation, or those of a store.
func (s *Service) providerEndpoints(base, of string, storeKey int64) []api.Endpoint {
	view := access.AdministratorWith(access.Security, access.View)
	modify := access.AdministratorWith(access.Security, access.Modify)
	describe := func(g *form.Group) { readDraft(g.Group("identityProvider"), s.Client, storeKey) }
	describeNew := func(g *form.Group) { readNew(g.Group("identityProvider"), s.Client, storeKey) }
	who := "administrators"
	if storeKey == inStore {
		who = "sellers" + of
	}
	path := base + "/admin/identity-provider"
	one := path + "/{identityProvider}"
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view, Handle: s.list,
			Summary: "List the identity providers" + of, Response: providerList{}},
		{Method: "POST", Path: path, Access: modify, Factor: api.Always, Handle: s.save, Form: describeNew,
			Summary: "Add an identity provider" + of, Response: providerView{}, Audit: ofProvider("CreateIdentityProvider")},
		{Method: "GET", Path: one, Access: view, Handle: s.get,
			Summary: "Show an identity provider" + of, Response: providerView{}},
		{Method: "PUT", Path: one, Access: modify, Factor: api.Always, Handle: s.save, Form: describe,
			Summary:  "Replace an identity provider" + of + "; a blank secret keeps the present one",
			Response: providerView{}, Audit: ofProvider("UpdateIdentityProvider")},
		{Method: "DELETE", Path: one, Access: modify, Factor: api.Restricts, Handle: removeProvider,
			Summary: "Remove an identity provider" + of, Response: api.NoContent{},
			Audit: ofProvider("DeleteIdentityProvider")},
		{Method: "POST", Path: one + "/test", Access: modify, Factor: api.NoWrite, Handle: s.test,
			Summary: "Read the document and the keys of an identity provider" + of, Response: testResult{},
			Audit: ofProvider("TestIdentityProvider"), Unkeyed: true, NoDryRun: api.CallsProvider},
		{Method: "POST", Path: path + "/test", Access: modify, Factor: api.NoWrite, Handle: s.testIssuer,
			Form:     func(g *form.Group) { readIssuer(g, s.Client) },
			Summary:  "Read the document and the keys of an issuer, before an identity provider" + of + " is added",
			Response: testResult{}, Audit: ofProvider("TestIdentityProvider"), Unkeyed: true, NoDryRun: api.CallsProvider},
		{Method: "POST", Path: path + "/preview", Access: modify, Factor: api.NoWrite, Handle: preview,
			Form:    func(g *form.Group) { readPreview(g) },
			Summary: "Show what groups of an identity provider" + of + " give", Response: previewResult{},
			Unkeyed: true, NoDryRun: api.CallsProvider},
		{Method: "GET", Path: base + "/admin/password-login", Access: view, Handle: getPasswordLogin,
			Summary: "Show which " + who + " may sign in with a password", Response: passwordView{}},
		{Method: "PUT", Path: base + "/admin/password-login", Access: modify, Factor: api.Always,
			Handle:  setPasswordLogin,
			Summary: "Change which " + who + " may sign in with a password", Form: api.Reads(readAllowed),
			Response: api.NoContent{}, Audit: api.Audited("UpdatePasswordLogin", "passwordLogin")},
		{Method: "POST", Path: base + "/session/logout/{identityProvider}", Access: access.Public(),
			Factor: api.NoSession, Handle: s.logOut,
			Summary: "End the sessions that an identity provider" + of + " names in a logout token",
			Form:    api.Reads(readLogout), Audit: ofProvider("EndSessionsByProvider"), Unkeyed: true,
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

func listButtons(c *api.Call) error {
	list := buttonList{Providers: []buttonView{}}
	err := c.Read(func(tx *db.Tx) error {
		all, err := allProviders(tx, 0)
		for i := range all {
			if all[i].Enabled {
				list.Providers = append(list.Providers, buttonView{all[i].ID, all[i].Name})
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(list)
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

func listStoreButtons(c *api.Call) error {
	list := storeButtonList{Providers: []storeButtonView{}}
	err := c.Read(func(tx *db.Tx) error {
		all, err := allProviders(tx, c.Store.Key)
		for i := range all {
			if p := &all[i]; p.Enabled {
				list.Providers = append(list.Providers, storeButtonView{
					p.ID, p.Name, p.letsIn(access.Administrator), p.letsIn(access.Seller),
				})
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(list)
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

func (s *Service) list(c *api.Call) error {
	list := providerList{Providers: []providerView{}}
	list.RedirectBase, list.LogoutBase = s.addresses(c)
	err := c.Read(func(tx *db.Tx) error {
		all, err := allProviders(tx, storeKey(c))
		for i := range all {
			list.Providers = append(list.Providers, s.view(c, &all[i]))
		}
		if err != nil || c.Store == nil {
			return err
		}
		roles, err := admin.RolesWithin(tx, c.Caller)
		for i := range roles {
			list.Roles = append(list.Roles, roleView{roles[i].ID, roles[i].Name})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(list)
}

func named(c *api.Call) (p Provider, err error) {
	err = c.Read(func(tx *db.Tx) (err error) {
		p, err = findProvider(tx, storeKey(c), c.PathValue("identityProvider"))
		return err
	})
	return p, err
}

func (s *Service) get(c *api.Call) error {
	p, err := named(c)
	if err != nil {
		return err
	}
	return c.OK(s.view(c, &p))
}

// save adds a provider, or replaces that of the path.
func (s *Service) save(c *api.Call) error {
	id := c.PathValue("identityProvider")
	if id != "" {
		if _, err := named(c); err != nil {
			return err
		}
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "identityProvider")
	read := readDraft
	if id == "" {
		read = readNew
	}
	read(g, s.Client, storeKey(c))
	if err := g.Err(); err != nil {
		return err
	}
	var saved Provider
	return c.Write(func(tx *db.Tx) (err error) {
		g := form.Read(body, "identityProvider") // with the errors of this try only
		d := read(g, s.Client, storeKey(c))
		if id == "" {
			saved, err = add(tx, g, d, c.Caller)
			audit.Of(tx).SetEntity(saved.ID)
		} else {
			saved, err = change(tx, g, id, d, c.Caller)
		}
		return err
	}, func() error { return c.OK(s.view(c, &saved)) })
}

func removeProvider(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		return deleteProvider(tx, storeKey(c), c.PathValue("identityProvider"))
	}, c.NoContent)
}

type testResult struct {
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
}

func (s *Service) test(c *api.Call) error {
	p, err := named(c)
	if err != nil {
		return err
	}
	return s.report(c, &p)
}

// testIssuer tests an issuer that no provider has yet.
func (s *Service) testIssuer(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	p := Provider{Issuer: readIssuer(g, s.Client)}
	if err := g.Err(); err != nil {
		return err
	}
	return s.report(c, &p)
}

// report tries a provider, and responds with what is wrong.
func (s *Service) report(c *api.Call, p *Provider) error {
	err := s.try(c, p)
	if problem, is := errors.AsType[*fault.Error](err); is {
		return c.OK(testResult{Problem: problem.Message})
	}
	if err != nil {
		return err
	}
	return c.OK(testResult{OK: true})
}

package sso

import (
	"errors"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Endpoints sign administrators in and manage providers: docs/behaviour/single-sign-on.md.
func (s *Service) Endpoints() []api.Endpoint {
	own := access.Only(access.Administrator)
	provider := func(event string) api.Audit { return api.Audit{Event: event, Entity: "identityProvider"} }
	identity := func(event string) api.Audit { return api.Audit{Event: event, Entity: "identity"} }
	return append(s.providerEndpoints(provider), []api.Endpoint{
		{Method: "GET", Path: "/api/session/providers", Access: access.Public(), Handle: listButtons,
			Summary: "List the providers that administrators can sign in with", Response: buttonList{}},
		{Method: "POST", Path: "/api/session/start", Access: access.Public(),
			Handle:  func(c *api.Call) error { return s.start(c, "") },
			Summary: "Begin a sign-in at an identity provider", Form: api.Reads(readStart), Response: begun{},
			Audit: provider("StartSignIn"), Unkeyed: true},
		{Method: "POST", Path: "/api/session/finish", Access: access.Public(), Handle: s.logIn,
			Summary: "Sign in with what the identity provider has sent to the browser", Form: api.Reads(readReturned),
			Response: token{}, Audit: api.Audit{Event: audit.AuthenticationSuccess, Entity: "admin"}, Unkeyed: true},
		{Method: "POST", Path: "/api/session/logout/{identityProvider}", Access: access.Public(), Handle: s.logOut,
			Summary: "End the sessions that an identity provider names in a logout token", Form: api.Reads(readLogout),
			Audit: provider("EndSessionsByProvider"), Unkeyed: true},
		{Method: "GET", Path: "/api/me/identities", Access: own, Handle: s.listLinks,
			Summary: "List the identities that the calling administrator can sign in with", Response: linkList{}},
		{Method: "POST", Path: "/api/me/identities/start", Access: own, Handle: s.startLink,
			Summary: "Begin to link the own account with an identity", Form: api.Reads(readStart), Response: begun{},
			Audit: identity("StartLink"), Unkeyed: true},
		{Method: "POST", Path: "/api/me/identities", Access: own, Handle: s.link,
			Summary: "Link the own account with the identity that the provider has sent to the browser",
			Form:    api.Reads(readReturned), Response: api.NoContent{}, Audit: identity("LinkIdentity"), Unkeyed: true},
		{Method: "DELETE", Path: "/api/me/identities/{identity}", Access: own, Handle: s.unlink,
			Summary: "Unlink the own account from an identity", Response: api.NoContent{},
			Audit: identity("UnlinkIdentity")},
	}...)
}

func (s *Service) providerEndpoints(named func(event string) api.Audit) []api.Endpoint {
	view := access.AdministratorWith(access.Security, access.View)
	modify := access.AdministratorWith(access.Security, access.Modify)
	describe := func(g *form.Group) { readDraft(g.Group("identityProvider"), s.Client) }
	const one = "/api/admin/identity-provider/{identityProvider}"
	return []api.Endpoint{
		{Method: "GET", Path: "/api/admin/identity-provider", Access: view, Handle: s.list,
			Summary: "List the identity providers", Response: providerList{}},
		{Method: "POST", Path: "/api/admin/identity-provider", Access: modify, Handle: s.save, Form: describe,
			Summary: "Add an identity provider", Response: providerView{}, Audit: named("CreateIdentityProvider")},
		{Method: "GET", Path: one, Access: view, Handle: s.get,
			Summary: "Show an identity provider", Response: providerView{}, Audit: named("GetIdentityProvider")},
		{Method: "PUT", Path: one, Access: modify, Handle: s.save, Form: describe,
			Summary:  "Replace an identity provider; a blank secret keeps the present one",
			Response: providerView{}, Audit: named("UpdateIdentityProvider")},
		{Method: "DELETE", Path: one, Access: modify, Handle: removeProvider,
			Summary: "Remove an identity provider", Response: api.NoContent{}, Audit: named("DeleteIdentityProvider")},
		{Method: "POST", Path: one + "/test", Access: modify, Handle: s.test,
			Summary: "Read the document and the keys of an identity provider", Response: testResult{},
			Audit: named("TestIdentityProvider"), Unkeyed: true},
		{Method: "POST", Path: "/api/admin/identity-provider/preview", Access: modify, Handle: preview,
			Form:    func(g *form.Group) { readPreview(g) },
			Summary: "Show which role groups of an identity provider give", Response: previewResult{},
			Audit: named("PreviewIdentityProvider"), Unkeyed: true},
		{Method: "GET", Path: "/api/admin/password-login", Access: view, Handle: getPasswordLogin,
			Summary: "Show which administrators may sign in with a password", Response: passwordView{},
			Audit: api.Audit{Event: "GetPasswordLogin", Entity: "passwordLogin"}},
		{Method: "PUT", Path: "/api/admin/password-login", Access: modify, Handle: setPasswordLogin,
			Summary: "Change which administrators may sign in with a password", Form: api.Reads(readAllowed),
			Response: api.NoContent{}, Audit: api.Audit{Event: "UpdatePasswordLogin", Entity: "passwordLogin"}},
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
		all, err := allProviders(tx)
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

// token is the response to a sign-in, as that of POST /api/session.
type token struct {
	Token string `json:"token"` // access token, which the page keeps in memory
}

type providerList struct {
	Providers []providerView `json:"providers"`
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

	// What the provider has to know of this server; empty while its public address is unknown.
	RedirectURI string `json:"redirectUri"`
	LogoutURI   string `json:"logoutUri"`
}

func (s *Service) view(p *Provider) providerView {
	v := providerView{
		ID: p.ID, Name: p.Name, Issuer: p.Issuer, ClientID: p.ClientID, HasSecret: p.clientSecret != "", Scopes: p.Scopes,
		GroupClaim: p.GroupClaim, Grants: p.Grants, Enabled: p.Enabled,
	}
	if base := s.Base(); base != "" {
		v.RedirectURI, v.LogoutURI = base+ReturnPath, base+"/api/session/logout/"+p.ID
	}
	return v
}

func (s *Service) list(c *api.Call) error {
	list := providerList{Providers: []providerView{}}
	err := c.Read(func(tx *db.Tx) error {
		all, err := allProviders(tx)
		for i := range all {
			list.Providers = append(list.Providers, s.view(&all[i]))
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
		p, err = findProvider(tx, c.PathValue("identityProvider"))
		return err
	})
	return p, err
}

func (s *Service) get(c *api.Call) error {
	p, err := named(c)
	if err != nil {
		return err
	}
	return c.OK(s.view(&p))
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
	readDraft(g, s.Client)
	if err := g.Err(); err != nil {
		return err
	}
	var saved Provider
	return c.Write(func(tx *db.Tx) (err error) {
		g := form.Read(body, "identityProvider") // with the errors of this try only
		d := readDraft(g, s.Client)
		if id == "" {
			saved, err = add(tx, g, d, c.Caller)
			audit.Of(tx).SetEntity(saved.ID)
		} else {
			saved, err = change(tx, g, id, d, c.Caller)
		}
		return err
	}, func() error { return c.OK(s.view(&saved)) })
}

func removeProvider(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error { return deleteProvider(tx, c.PathValue("identityProvider")) }, c.NoContent)
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
	err = s.try(c.Context(), &p, c.DB())
	if problem, is := errors.AsType[*fault.Error](err); is {
		return c.OK(testResult{Problem: problem.Message})
	}
	if err != nil {
		return err
	}
	return c.OK(testResult{OK: true})
}

func readPreview(g *form.Group) (providerID string, groups []string) {
	return g.Key("provider", form.NotBlank), g.Texts("groups", form.MaxLength(nameLimit))
}

// previewResult is the role that groups give, and the group that gives it.
type previewResult struct {
	RoleID int64  `json:"roleId,omitempty"` // missing if the groups give nothing
	Role   string `json:"role,omitempty"`
	Group  string `json:"group,omitempty"`
}

func preview(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	id, groups := readPreview(g)
	if err := g.Err(); err != nil {
		return err
	}
	var result previewResult
	err = c.Read(func(tx *db.Tx) error {
		p, err := findProvider(tx, id)
		if err != nil {
			return err
		}
		role, group, err := p.roleOf(tx, groups)
		result = previewResult{role.ID, role.Name, group}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(result)
}

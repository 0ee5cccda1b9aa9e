package setup

import (
	"cmp"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/limit"
	"punchcard/platform/password"
)

// Feature returns the set-up of a new installation. attempts limits the links that a client address may try.
func Feature(attempts *limit.Limiter) feature.Feature {
	d := desk{attempts}
	return feature.Feature{
		Section: feature.Section{Name: "Accounts"},
		Endpoints: []api.Endpoint{
			{Method: "POST", Path: "/api/setup/link", Access: access.Public(), Factor: api.NoWrite, Handle: d.check,
				Summary: "Check the link to the set-up, and show the store to set up",
				Form:    func(g *form.Group) { readToken(g.Group("setup")) }, Response: view{}, Unkeyed: true,
				NoDryRun: api.LogsIn},
			{Method: "POST", Path: "/api/setup", Access: access.Public(), Factor: api.NoSession, Handle: d.complete,
				Summary:  "Set up the store, and set the password of the first administrator",
				Form:     func(g *form.Group) { readForm(g.Group("setup"), store.Example) },
				Response: api.NoContent{}, Unkeyed: true,
				Audit: api.Audited("CreateSetup", "setup"), NoDryRun: api.LogsIn},
		},
		Limits: []feature.Limit{feature.Seconds("setupLinkLifetime", LinkLife, "")},
	}
}

type desk struct{ attempts *limit.Limiter }

// view shows the store as it is before the set-up.
type view struct {
	Username  string         `json:"username"`
	StoreCode string         `json:"storeCode"`
	Currency  string         `json:"currency"`
	Timezone  string         `json:"timezone"`
	Language  string         `json:"language"`
	Languages []languageView `json:"languages"`
}

type languageView struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// readToken reads the token of a link. A blank one is as unknown as any other.
func readToken(g *form.Group) string { return g.Text("token") }

// request holds what the form sets besides the store.
type request struct {
	token, password, email string

	language, languageName string // languageName adds the language if it is not known
	onlyLanguage           bool   // removes the other languages
}

// readForm reads the form into a store.
func readForm(g *form.Group, s *store.Store) request {
	storeapi.ReadBasics(g, s)
	return request{
		token: readToken(g), password: admin.ReadPassword(g, form.NotBlank), email: g.Key("email", form.Email),
		language: g.Text("language"), languageName: g.Text("languageName", form.MaxLength(store.MaxName)),
		onlyLanguage: g.Checkbox("onlyLanguage"),
	}
}

// check responds with the store to set up.
func (d desk) check(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "setup")
	token := readToken(group)
	if err := cmp.Or(c.Take(d.attempts, c.ClientNetwork()), group.Err()); err != nil {
		return err
	}
	var response view
	err = c.Read(func(tx *db.Tx) error {
		if err := checkLink(tx, token); err != nil {
			return err
		}
		s, _, err := store.ByCode(tx, store.DefaultCode)
		if err != nil {
			return err
		}
		languages, err := store.AllLanguages(tx)
		response = view{Username: Username, StoreCode: s.Code, Currency: s.Currency, Timezone: s.Settings.Timezone,
			Language: languages.Default(), Languages: []languageView{}}
		for _, l := range languages {
			response.Languages = append(response.Languages, languageView{l.Code, l.Name})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// complete sets up the store and the first administrator, and ends all links.
func (d desk) complete(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body, "setup")
	first := readForm(group, &store.Store{})
	if err := cmp.Or(c.Take(d.attempts, c.ClientNetwork()), group.Err()); err != nil {
		return err
	}
	// The link is checked before the password is hashed, which is slow.
	if err := c.Read(func(tx *db.Tx) error { return checkLink(tx, first.token) }); err != nil {
		return err
	}
	passwordHash, err := password.Hash(c.ClientContext(), first.password)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		if err := useLink(tx, first.token); err != nil {
			return err
		}
		if err := open(tx, form.Read(body, "setup")); err != nil {
			return err
		}
		tx.AfterCommit(c.Stores().Forget)
		_, err := admin.Create(tx, admin.New{
			Username: Username, Email: first.email, PasswordHash: passwordHash, Active: true, RoleID: admin.SuperAdmin,
		})
		return err
	}, c.NoContent)
}

// open gives the first store what the form says.
func open(tx *db.Tx, g *form.Group) error {
	known, found, err := store.ByCode(tx, store.DefaultCode)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return err
	}
	s, err := store.Lock(tx, known.Key)
	if err != nil {
		return err
	}
	if err := chooseLanguage(tx, g, readForm(g, s)); err != nil {
		return err
	}
	return store.Update(tx, s)
}

// chooseLanguage makes a language that the form names the default one. There are no translations yet that the other
// languages could leave behind.
func chooseLanguage(tx *db.Tx, g *form.Group, r request) error {
	if r.language == "" {
		return nil
	}
	l, found, err := store.FindLanguage(tx, r.language)
	if err != nil {
		return err
	}
	l.Default = true
	switch {
	case found:
		_, err = store.ChangeLanguage(tx, l)
	case r.languageName != "" && store.IsLanguage(r.language):
		l.Code, l.Name = r.language, r.languageName
		err = store.AddLanguage(tx, l)
	default:
		g.AddError("language", form.UnknownChoice)
		return g.Err()
	}
	if err != nil || !r.onlyLanguage {
		return err
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return err
	}
	for _, other := range languages {
		if other.Code != r.language {
			if err := store.RemoveLanguage(tx, other.Code); err != nil {
				return err
			}
		}
	}
	return nil
}

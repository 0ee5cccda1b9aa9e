package setup

import (
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
			{Method: "POST", Path: "/api/setup/link", Access: access.Public(), Factor: api.NoWrite,
				Do:      api.Read(limited(d, readToken, api.Reads(readToken)), check),
				Summary: "Check the link to the set-up, and show the store to set up", Unkeyed: true,
				NoDryRun: api.LogsIn},
			{Method: "POST", Path: "/api/setup", Access: access.Public(), Factor: api.NoSession,
				Do: api.Write(api.Prepared(limited(d, readFirst, describe), prepare), complete), Unkeyed: true,
				Summary: "Set up the store, and set the password of the first administrator",
				Audit:   api.Audited("CreateSetup", "setup"), NoDryRun: api.LogsIn},
		},
		Limits: []feature.Limit{feature.Seconds("setupLinkLifetime", LinkLife, "")},
	}
}

type desk struct{ attempts *limit.Limiter }

// limited reads a form that counts against the limit of the client's address.
func limited[In any](d desk, read func(g *form.Group) In, describe func(g *form.Group)) api.Input[In] {
	return api.BodyInCall("setup", func(c *api.Call, g *form.Group) (In, error) {
		return read(g), c.Take(d.attempts, c.ClientNetwork())
	}, describe)
}

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

	passwordHash string
}

func readFirst(g *form.Group) request { return readForm(g, &store.Store{}) }

func describe(g *form.Group) { readForm(g, store.Example) }

// readForm reads the form into a store.
func readForm(g *form.Group, s *store.Store) request {
	storeapi.ReadBasics(g, s)
	return request{
		token: readToken(g), password: admin.ReadPassword(g, form.NotBlank), email: g.Key("email", form.Email),
		language: g.Text("language"), languageName: g.Text("languageName", form.MaxLength(store.MaxName)),
		onlyLanguage: g.Checkbox("onlyLanguage"),
	}
}

// check shows the store to set up.
func check(r *api.Reading, token string) (view, error) {
	if err := checkLink(r.Tx, token); err != nil {
		return view{}, err
	}
	s, _, err := store.ByCode(r.Tx, store.DefaultCode)
	if err != nil {
		return view{}, err
	}
	languages, err := store.AllLanguages(r.Tx)
	response := view{Username: Username, StoreCode: s.Code, Currency: s.Currency, Timezone: s.Settings.Timezone,
		Language: languages.Default(), Languages: []languageView{}}
	for _, l := range languages {
		response.Languages = append(response.Languages, languageView{l.Code, l.Name})
	}
	return response, err
}

// prepare hashes the password. It checks the link before, because hashing is slow.
func prepare(c *api.Call, first request) (request, error) {
	err := c.Read(func(tx *db.Tx) error { return checkLink(tx, first.token) })
	if err == nil {
		first.passwordHash, err = password.Hash(c.ClientContext(), first.password)
	}
	return first, err
}

// complete sets up the store and the first administrator, and ends all links.
func complete(w *api.Writing, first request) (api.NoContent, error) {
	if err := useLink(w.Tx, first.token); err != nil {
		return api.NoContent{}, err
	}
	if err := open(w); err != nil {
		return api.NoContent{}, err
	}
	w.Tx.AfterCommit(w.Stores().Forget)
	_, err := admin.Create(w.Tx, admin.New{
		Username: Username, Email: first.email, PasswordHash: first.passwordHash, Active: true, RoleID: admin.SuperAdmin,
	})
	return api.NoContent{}, err
}

// open gives the first store what the form says.
func open(w *api.Writing) error {
	body, err := w.Body()
	if err != nil {
		return err
	}
	known, found, err := store.ByCode(w.Tx, store.DefaultCode)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return err
	}
	s, err := store.Lock(w.Tx, known.Key)
	if err != nil {
		return err
	}
	if err := chooseLanguage(w, readForm(form.Read(body, "setup"), s)); err != nil {
		return err
	}
	return store.Update(w.Tx, s)
}

// chooseLanguage makes a language that the form names the default one. There are no translations yet that the other
// languages could leave behind.
func chooseLanguage(w *api.Writing, r request) error {
	if r.language == "" {
		return nil
	}
	tx := w.Tx
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
		return w.Refuse("language", form.UnknownChoice)
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

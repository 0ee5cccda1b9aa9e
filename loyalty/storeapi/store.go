package storeapi

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

// contractWords begin paths that are reserved for the API beside those that are served. No store can have one of them
// as its code, which a later path would hide.
var contractWords = []string{"audit", "invitation", "message", "password", "v1"}

var storeCode = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// currencyCode matches codes as in ISO 4217, in upper or lower case.
var currencyCode = regexp.MustCompile(`^[A-Za-z]{3}$`)

type storeView struct {
	StoreID  string `json:"storeId"`
	Code     string `json:"code"`
	Name     string `json:"name"`
	Currency string `json:"currency"`
	Active   bool   `json:"active"`
	Sandbox  bool   `json:"sandbox"` // its clock can be moved
}

func viewOfStore(s *store.Store) storeView {
	return storeView{StoreID: s.ID, Code: s.Code, Name: s.Name, Currency: s.Currency, Active: s.Active,
		Sandbox: s.Sandbox}
}

type storeList struct {
	Stores []storeView `json:"stores"`
	Total  int         `json:"total"`
}

type storeIdentity struct {
	StoreID string `json:"storeId"`
}

func storeFilters(q *form.Group) {
	q.Text("name")
	q.Text("active")
}

var sortableStores = api.Order{Tie: "store_id", Columns: map[string]api.Column{
	"storeId": "id", "code": "code", "name": "name_order", "currency": "currency", "active": "active",
}}

// listStores reads all stores. There are few.
func listStores(r *api.Reading, request api.ListRequest) (storeList, error) {
	name := keytext.Fold(request.Query.Child("name").Text())
	active, filtered := form.ParseActive(request.Query.Child("active").Text())
	matching := []storeView{}
	stores, err := store.List(r.Tx, request.OrderBy(sortableStores))
	for i := range stores {
		s := &stores[i]
		if r.Caller.Reaches(s.Key) && strings.Contains(keytext.Fold(s.Name), name) && (!filtered || s.Active == active) {
			matching = append(matching, viewOfStore(s))
		}
	}
	from := min(request.Offset, len(matching))
	return storeList{matching[from:min(from+request.Limit, len(matching))], len(matching)}, err
}

func showStore(r *api.Reading) (storeView, error) {
	s, found, err := store.ByID(r.Tx, r.PathValue("storeId"))
	if err == nil && !(found && r.Caller.Reaches(s.Key)) {
		err = fault.ErrNotFound
	}
	if err != nil {
		return storeView{}, err
	}
	return viewOfStore(s), nil
}

// createStore adds a store with the settings of the first one, but for the name of the program if it is sent.
func createStore(w *api.Writing, in store.New) (storeIdentity, error) {
	first, found, err := store.ByCode(w.Tx, store.DefaultCode)
	if err != nil {
		return storeIdentity{}, err
	}
	name := in.Settings.ProgramName
	in.Settings = store.DefaultSettings()
	if found {
		in.Settings = first.Settings
		in.Settings.LeaveProvider()
		in.Settings.Webhooks = false // the receiver expects the events of one store
	}
	in.Settings.ProgramName = cmp.Or(name, in.Settings.ProgramName)
	made, err := store.Create(w.Tx, in)
	if err != nil {
		return storeIdentity{}, refusedCode(w, err)
	}
	w.Tx.AfterCommit(w.Stores().Forget)
	w.Entry().SetEntity(made.ID)
	return storeIdentity{made.ID}, nil
}

// readNewStore refuses codes that are words of paths.
func (p Parts) readNewStore(g *form.Group) store.New {
	in := readStore(g)
	if in.Code != "" && slices.Contains(append(p.ReservedCodes(), contractWords...), in.Code) {
		g.AddError("code", form.Invalid("reserved_word"))
	}
	return in
}

func readStore(g *form.Group) store.New {
	in := store.New{
		Code: g.Text("code", form.NotBlank, form.MaxLength(nameLimit),
			form.Matches(form.Invalid("not_a_store_code"), storeCode.MatchString)),
		Name:     g.Text("name", form.NotBlank, form.MaxLength(nameLimit)),
		Currency: readCurrency(g),
		Inactive: !g.Checkbox("active"), Sandbox: g.Checkbox("sandbox"),
	}
	if g.Submitted("programName") { // so that the errors of other calls do not list it
		in.Settings.ProgramName = g.Text("programName", form.NotBlank, form.MaxLength(nameLimit))
	}
	return in
}

// ReadBasics reads the name, the currency, the time zone, the country and the accent color of a store, and what its
// program and its points are called and how long points last. Of these a key that is not sent keeps its value.
func ReadBasics(g *form.Group, s *store.Store) {
	s.Name = g.Text("name", form.NotBlank, form.MaxLength(nameLimit))
	s.Currency = readCurrency(g)
	s.Settings.Timezone = g.Text("timezone", form.NotBlank, zoneRule)
	s.Settings.Country = g.Text("country", countryRule)
	s.Settings.AccentColor = g.Text("accentColor", colorRule)
	f := settingsForm{Group: g}
	f.programName(&s.Settings)
	f.choice("pointsRounding", &s.Settings.PointsRounding, pointRoundings)
	f.choice("pointsDaysExpiryAfter", &s.Settings.PointsDaysExpiryAfter, expiryModes)
}

func readCurrency(g *form.Group) string {
	return strings.ToUpper(g.Text("currency", form.NotBlank,
		form.Matches(form.Invalid("not_a_currency"), currencyCode.MatchString)))
}

func readStoreChange(g *form.Group) (name string, isActive bool) {
	return g.Text("name", form.NotBlank, form.MaxLength(nameLimit)), g.Checkbox("active")
}

var errCurrencyReserved = fault.New(fault.Fields, "currency_reserved",
	"Baskets are reserved in %s. Confirm or cancel them first, or wait for their end.")

var errCurrencyUsed = fault.New(fault.Fields, "currency_used",
	"There are receipts in %s, so the currency can no longer be changed.")

var errDefaultStore = fault.New(fault.Fields, "default_store_required",
	"The store %s cannot be switched off.").With(store.DefaultCode)

// changeStore changes the name and the activity. The currency has an endpoint of its own; all else is fixed.
func changeStore(w *api.Writing, body *form.Node) (api.NoContent, error) {
	return changeLocked(w, body, func(s *store.Store, g *form.Group) error {
		s.Name, s.Active = readStoreChange(g)
		if s.Code == store.DefaultCode && !s.Active {
			g.AddError("active", errDefaultStore)
		}
		return nil
	})
}

// changeCurrency changes the currency of a store without receipts.
func changeCurrency(w *api.Writing, body *form.Node) (api.NoContent, error) {
	return changeLocked(w, body, func(s *store.Store, g *form.Group) error {
		wanted := readCurrency(g)
		if wanted == s.Currency {
			return nil
		}
		var use CurrencyUse
		if err := feature.React(w.Tx, s, &use); err != nil {
			return err
		}
		switch {
		case use.Receipts:
			g.AddError("currency", errCurrencyUsed.With(s.Currency))
		case use.Reservations:
			g.AddError("currency", errCurrencyReserved.With(s.Currency))
		}
		s.Currency = wanted
		return nil
	})
}

// changeLocked changes the store that the path names, by the group store of the form.
func changeLocked(w *api.Writing, body *form.Node, change func(s *store.Store, g *form.Group) error) (
	none api.NoContent, err error) {
	known, found, err := store.ByID(w.Tx, w.PathValue("storeId"))
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return none, err
	}
	s, err := store.Lock(w.Tx, known.Key)
	if err != nil {
		return none, err
	}
	group := form.Read(body, "store")
	if err := change(s, group); err != nil {
		return none, err
	}
	if err := group.Err(); err != nil {
		return none, err
	}
	w.Tx.AfterCommit(w.Stores().Forget)
	return none, store.Update(w.Tx, s)
}

package storeapi

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"punchcard/api"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
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
func listStores(c *api.Call) error {
	request, err := c.ListRequest()
	if err != nil {
		return err
	}
	name := keytext.Fold(request.Query.Child("name").Text())
	active, filtered := form.ParseActive(request.Query.Child("active").Text())
	matching := []storeView{}
	err = c.Read(func(tx *db.Tx) error {
		stores, err := store.List(tx, request.OrderBy(sortableStores))
		for i := range stores {
			s := &stores[i]
			if c.Caller.Reaches(s.Key) && strings.Contains(keytext.Fold(s.Name), name) && (!filtered || s.Active == active) {
				matching = append(matching, viewOfStore(s))
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	from := min(request.Offset, len(matching))
	return c.OK(storeList{matching[from:min(from+request.Limit, len(matching))], len(matching)})
}

func getStore(c *api.Call) error {
	var response storeView
	err := c.Read(func(tx *db.Tx) error {
		s, found, err := store.ByID(tx, c.PathValue("storeId"))
		if err == nil && !(found && c.Caller.Reaches(s.Key)) {
			err = fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		response = viewOfStore(s)
		return nil
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// createStore adds a store with the settings of the first one.
func createStore(reserved func() []string) func(c *api.Call) error {
	return func(c *api.Call) error {
		body, err := c.Body()
		if err != nil {
			return err
		}
		group := form.Read(body, "store")
		in := readStore(group)
		if in.Code != "" && slices.Contains(append(reserved(), contractWords...), in.Code) {
			group.AddError("code", form.Invalid("reserved_word"))
		}
		if err := group.Err(); err != nil {
			return err
		}
		var response storeIdentity
		err = c.Write(func(tx *db.Tx) error {
			first, found, err := store.ByCode(tx, store.DefaultCode)
			if err != nil {
				return err
			}
			in.Settings = store.DefaultSettings()
			if found {
				in.Settings = first.Settings
				in.Settings.LeaveProvider()
				in.Settings.Webhooks = false // the receiver expects the events of one store
			}
			made, err := store.Create(tx, in)
			if err != nil {
				return err
			}
			tx.AfterCommit(c.Stores().Forget)
			audit.Of(tx).SetEntity(made.ID)
			response.StoreID = made.ID
			return nil
		}, func() error { return c.OK(response) })
		if errors.Is(err, store.ErrTaken) {
			group.AddError("code", form.AlreadyUsed)
			return group.Err()
		}
		return err
	}
}

func readStore(g *form.Group) store.New {
	return store.New{
		Code: g.Text("code", form.NotBlank, form.MaxLength(nameLimit),
			form.Matches(form.Invalid("not_a_store_code"), storeCode.MatchString)),
		Name:     g.Text("name", form.NotBlank, form.MaxLength(nameLimit)),
		Currency: readCurrency(g),
		Inactive: !g.Checkbox("active"), Sandbox: g.Checkbox("sandbox"),
	}
}

// ReadBasics reads the name, the currency, the time zone, the country and the accent color of a store.
func ReadBasics(g *form.Group, s *store.Store) {
	s.Name = g.Text("name", form.NotBlank, form.MaxLength(nameLimit))
	s.Currency = readCurrency(g)
	s.Settings.Timezone = g.Text("timezone", form.NotBlank, zoneRule)
	s.Settings.Country = g.Text("country", countryRule)
	s.Settings.AccentColor = g.Text("accentColor", colorRule)
}

func readCurrency(g *form.Group) string {
	return strings.ToUpper(g.Text("currency", form.NotBlank,
		form.Matches(form.Invalid("not_a_currency"), currencyCode.MatchString)))
}

func readStoreChange(g *form.Group) (name string, isActive bool) {
	return g.Text("name", form.NotBlank, form.MaxLength(nameLimit)), g.Checkbox("active")
}

var errCurrencyUsed = fault.New(fault.Fields, "currency_used",
	"There are receipts in %s, so the currency can no longer be changed.")

var errDefaultStore = fault.New(fault.Fields, "default_store_required",
	"The store %s cannot be switched off.").With(store.DefaultCode)

// changeStore changes the name and the activity. The currency has an endpoint of its own; all else is fixed.
func changeStore(c *api.Call) error {
	return changeLocked(c, func(_ *db.Tx, s *store.Store, g *form.Group) error {
		s.Name, s.Active = readStoreChange(g)
		if s.Code == store.DefaultCode && !s.Active {
			g.AddError("active", errDefaultStore)
		}
		return nil
	})
}

// changeCurrency changes the currency of a store without receipts.
func (h Hooks) changeCurrency(c *api.Call) error {
	return changeLocked(c, func(tx *db.Tx, s *store.Store, g *form.Group) error {
		wanted := readCurrency(g)
		if wanted == s.Currency {
			return nil
		}
		used, err := h.HasReceipts(tx, s.Key)
		if used {
			g.AddError("currency", errCurrencyUsed.With(s.Currency))
		}
		s.Currency = wanted
		return err
	})
}

// changeLocked changes the store that the path names, by the group store of the form.
func changeLocked(c *api.Call, change func(tx *db.Tx, s *store.Store, g *form.Group) error) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		known, found, err := store.ByID(tx, c.PathValue("storeId"))
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
		group := form.Read(body, "store")
		if err := change(tx, s, group); err != nil {
			return err
		}
		if err := group.Err(); err != nil {
			return err
		}
		tx.AfterCommit(c.Stores().Forget)
		return store.Update(tx, s)
	}, c.NoContent)
}

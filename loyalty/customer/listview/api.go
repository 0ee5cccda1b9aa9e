package listview

import (
	"maps"
	"slices"
	"strconv"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/platform/check"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Feature returns saved views.
func Feature() feature.Feature {
	const all = "/api/{storeCode}/admin/customer-view"
	allowed := access.AdministratorWith(access.Customers, access.View)
	audited := func(event string) api.Audit { return api.Audited(event, "customerView") }
	return feature.Feature{
		Section: feature.Section{Name: "Customers"},
		Endpoints: []api.Endpoint{
			{Method: "GET", Path: all, Access: allowed, Do: api.Show(listViews),
				Summary: "List saved views of the list of customers: own and shared ones"},
			{Method: "POST", Path: all, Access: allowed, Factor: api.Own, Do: api.Write(api.Body("view", readDetails), addView),
				Summary: "Save a view of the list of customers", Audit: audited("CreateCustomerView")},
			{Method: "PUT", Path: all + "/{view}", Access: allowed, Factor: api.Own,
				Do:      api.Write(api.UnreadBody(describe), replaceView),
				Summary: "Replace a saved view", Audit: audited("UpdateCustomerView")},
			{Method: "DELETE", Path: all + "/{view}", Access: allowed, Factor: api.Own, Do: api.Act(removeView),
				Summary: "Delete a saved view", Audit: audited("DeleteCustomerView")},
		},
		Rules:  []check.Rule{check.JSON[query]("customer.view", customerViews, "query")},
		Tables: []check.Table{customerViews},
		Limits: []feature.Limit{
			{Name: "customerViews", Value: Limit, Unit: "views"},
			{Name: "customerViewName", Value: NameLimit, Unit: "characters"},
		},
	}
}

type identity struct {
	ViewID string `json:"viewId"`
}

type viewList struct {
	Views []savedView `json:"views"`
	Total int         `json:"total"`
}

// savedView is the JSON of a view: docs/behaviour/customers.md#saved-views.
type savedView struct {
	ViewID string `json:"viewId"`
	Name   string `json:"name"`
	Shared bool   `json:"shared"`
	Own    bool   `json:"own"`
	Owner  string `json:"owner"`
	query
	CreatedAt string `json:"createdAt"`
}

func describe(g *form.Group) { readDetails(g.Group("view")) }

// readDetails reads the fields of a view. Filters are those of the list of customers that name no customer.
func readDetails(g *form.Group) Details {
	d := Details{
		Name:   g.Text("name", form.NotBlank, form.MaxLength(NameLimit)),
		Shared: g.Checkbox("shared"),
		Query:  query{Filters: map[string]string{}},
	}
	f := g.Group("filters")
	set := func(name, value string) {
		if value != "" {
			d.Query.Filters[name] = value
		}
	}
	for _, name := range []string{"levelId", "segmentId"} {
		set(name, f.UUID(name))
	}
	set("status", f.Choice("status", []string{customer.New, customer.Active, customer.Blocked}))
	for _, name := range []string{"createdAtFrom", "createdAtTo"} {
		if day := f.Date(name); !day.IsZero() {
			set(name, day.Format("2006-01-02"))
		}
	}
	for _, name := range []string{"transactionsAmountFrom", "transactionsAmountTo"} {
		if n := f.Decimal(name, decimal.MoneyDigits); f.HasValue(name) {
			set(name, decimal.Money(n).String())
		}
	}
	for _, name := range []string{"transactionsCountFrom", "transactionsCountTo", "daysFromLastTransactionTo"} {
		if n := f.Integer(name); f.HasValue(name) {
			set(name, strconv.FormatInt(n, 10))
		}
	}
	d.Query.Sort = g.Choice("sort", slices.Sorted(maps.Keys(customer.ListOrder())))
	d.Query.Direction = g.Choice("direction", []string{"ASC", "DESC"})
	return d
}

func listViews(r *api.Reading) (viewList, error) {
	found, err := visible(r.Tx, r.Store.Key, r.Caller.ID)
	list := viewList{Views: make([]savedView, len(found)), Total: len(found)}
	for i, v := range found {
		list.Views[i] = savedView{
			ViewID: v.ID, Name: v.Name, Shared: v.Shared, Own: v.OwnerID == r.Caller.ID, Owner: v.Owner, query: v.Query,
			CreatedAt: api.Timestamp(v.CreatedAt, r.Store.Zone),
		}
	}
	return list, err
}

// mayShare reports whether the caller may make, change and delete what all administrators see.
func mayShare(w *api.Writing) bool { return w.Caller.Allowed(access.Customers, access.Modify) }

func addView(w *api.Writing, details Details) (identity, error) {
	if details.Shared && !mayShare(w) {
		return identity{}, fault.ErrForbidden
	}
	id := w.Tx.NewID()
	w.Entry().SetEntity(id)
	return identity{id}, save(w.Tx, w.Store.Key, &view{
		ID: id, OwnerID: w.Caller.ID, Owner: w.Caller.Username, Details: details, CreatedAt: w.Tx.Now(),
	})
}

// lockView locks the view of the path. The error is fault.ErrForbidden if the caller sees it but may not change it.
func lockView(w *api.Writing) (*view, error) {
	id := w.PathID("view")
	if !form.IsUUID(id) {
		return nil, fault.ErrNotFound
	}
	v, err := lock(w.Tx, w.Store.Key, id, w.Caller.ID)
	if err == nil && v.Shared && !mayShare(w) {
		err = fault.ErrForbidden
	}
	w.Entry().SetEntity(id)
	return v, err
}

func replaceView(w *api.Writing, body *form.Node) (identity, error) {
	v, err := lockView(w)
	if err != nil {
		return identity{}, err
	}
	g := form.Read(body, "view")
	v.Details = readDetails(g)
	if err := g.Err(); err != nil {
		return identity{}, err
	}
	if v.Shared && !mayShare(w) {
		return identity{}, fault.ErrForbidden
	}
	return identity{v.ID}, save(w.Tx, w.Store.Key, v)
}

func removeView(w *api.Writing) (none api.NoContent, err error) {
	v, err := lockView(w)
	if err != nil {
		return none, err
	}
	_, err = w.Tx.Exec(`DELETE FROM customer_views WHERE store_id = ? AND view_id = ?`, w.Store.Key, v.ID)
	return none, err
}

package listview

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/feature"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Feature returns saved views.
func Feature() feature.Feature {
	const all = "/api/{storeCode}/admin/customer-view"
	allowed := access.AdministratorWith(access.Customers, access.View)
	audited := func(event string) api.Audit { return api.Audited(event, "customerView") }
	fields := func(g *form.Group) { readDetails(g.Group("view")) }
	return feature.Feature{
		Section: feature.Section{Name: "Customers"},
		Endpoints: []api.Endpoint{
			{Method: "GET", Path: all, Access: allowed, Handle: listViews,
				Summary: "List saved views of the list of customers: own and shared ones", Response: viewList{}},
			{Method: "POST", Path: all, Access: allowed, Factor: api.Own,
				Handle: addView, Form: fields, Response: identity{},
				Summary: "Save a view of the list of customers", Audit: audited("CreateCustomerView")},
			{Method: "PUT", Path: all + "/{view}", Access: allowed, Factor: api.Own,
				Handle: replaceView, Form: fields, Response: identity{},
				Summary: "Replace a saved view", Audit: audited("UpdateCustomerView")},
			{Method: "DELETE", Path: all + "/{view}", Access: allowed, Factor: api.Own,
				Handle: removeView, Response: api.NoContent{},
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

func listViews(c *api.Call) error {
	response := viewList{Views: []savedView{}}
	err := c.Read(func(tx *db.Tx) error {
		found, err := visible(tx, c.Store.Key, c.Caller.ID)
		for _, v := range found {
			response.Views = append(response.Views, savedView{
				ViewID: v.ID, Name: v.Name, Shared: v.Shared, Own: v.OwnerID == c.Caller.ID, Owner: v.Owner, query: v.Query,
				CreatedAt: api.Timestamp(v.CreatedAt, c.Store.Zone),
			})
		}
		return err
	})
	if err != nil {
		return err
	}
	response.Total = len(response.Views)
	return c.OK(response)
}

// mayShare reports whether the caller may make, change and delete what all administrators see.
func mayShare(c *api.Call) bool { return c.Caller.Allowed(access.Customers, access.Modify) }

func addView(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "view")
	details := readDetails(g)
	if err := g.Err(); err != nil {
		return err
	}
	if details.Shared && !mayShare(c) {
		return fault.ErrForbidden
	}
	var id string
	return c.Write(func(tx *db.Tx) error {
		id = tx.NewID()
		audit.Of(tx).SetEntity(id)
		return save(tx, c.Store.Key, &view{ID: id, OwnerID: c.Caller.ID, Owner: c.Caller.Username, Details: details,
			CreatedAt: tx.Now()})
	}, func() error { return c.OK(identity{id}) })
}

// lockOf locks the view of the path. The error is fault.ErrForbidden if the caller sees it but may not change it.
func lockOf(c *api.Call, tx *db.Tx) (*view, error) {
	id := strings.ToLower(c.PathValue("view"))
	if !form.IsUUID(id) {
		return nil, fault.ErrNotFound
	}
	v, err := lock(tx, c.Store.Key, id, c.Caller.ID)
	if err == nil && v.Shared && !mayShare(c) {
		err = fault.ErrForbidden
	}
	audit.Of(tx).SetEntity(id)
	return v, err
}

func replaceView(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	var id string
	return c.Write(func(tx *db.Tx) error {
		v, err := lockOf(c, tx)
		if err != nil {
			return err
		}
		g := form.Read(body, "view")
		id, v.Details = v.ID, readDetails(g)
		if err := g.Err(); err != nil {
			return err
		}
		if v.Shared && !mayShare(c) {
			return fault.ErrForbidden
		}
		return save(tx, c.Store.Key, v)
	}, func() error { return c.OK(identity{id}) })
}

func removeView(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		v, err := lockOf(c, tx)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`DELETE FROM customer_views WHERE store_id = $1 AND view_id = $2`, c.Store.Key, v.ID)
		return err
	}, c.NoContent)
}

// Package customerapi has the endpoints of customers: registration, changes, lists, search and labels.
package customerapi

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// Prefixes of the paths of a store, and of one of its customers.
const (
	storePath    = "/api/{storeCode}/"
	customerPath = storePath + "customer/{customer}"
)

const setPOS = "Set the point of sale of a customer" // summary of two endpoints

// write returns an endpoint for a change of a customer that gives nobody access.
func write(method, path string, rule access.Rule, handle func(*api.Call) error, summary string,
	fields func(g *form.Group), response any, event string) api.Endpoint {
	return api.Endpoint{Method: method, Path: path, Access: rule, Factor: api.Everyday, Handle: handle, Summary: summary,
		Form: fields, Response: response, Audit: api.Audited(event, "customer")}
}

// Endpoints returns the endpoints of customers, and their labels. Without a database they only describe.
func Endpoints(d *db.DB, l Limits) []api.Endpoint {
	entrance := &entrance{l, newRegistrations(d)}
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	self, seller, byPIN := access.Only(access.Customer), access.Only(access.Seller), access.Only(access.Seller).WithPIN()
	post := func(path string, rule access.Rule, handle func(*api.Call) error, summary string,
		fields func(g *form.Group), response any, event string) api.Endpoint {
		return write("POST", path, rule, handle, summary, fields, response, event)
	}
	assign := func(path, id string, rule access.Rule, handle func(*api.Call) error, summary, event string) api.Endpoint {
		e := post(path, rule, handle, summary, describeID(id), []string{}, event)
		e.Query = e.Form // clients may send the id in either
		return e
	}
	list := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Handle: listCustomers, Summary: "List customers",
			Query: api.ListQuery(customer.ListOrder(), describeList), Response: detailList{}}
	}
	balance := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Handle: getBalance,
			Summary: "Show the points and the level of a customer", Query: api.LocaleQuery, Response: Balance{}}
	}
	count := func(path string) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: view, Handle: countRegistrations,
			Summary: "Count registrations by day, month or year", Query: describeCount, Response: map[string]int64{}}
	}
	register := func(path string, rule access.Rule) api.Endpoint {
		return post(storePath+path, rule, entrance.register, "Register a customer", describeRegistration, newCustomer{},
			"RegisterCustomer")
	}
	const on, off = "Activate a customer", "Block a customer"
	return append(partEndpoints(), []api.Endpoint{
		register("admin/customer/register", modify),
		register("customer/register", modify),
		register("seller/customer/register", byPIN),
		{Method: "POST", Path: storePath + "customer/self_register", Access: access.Public(), Factor: api.NoSession,
			Handle: entrance.selfRegister, Summary: "Register oneself", Query: api.LocaleQuery, Form: describeSelfRegistration,
			Response: newCustomer{}, Audit: api.Audited("RegisterCustomer", "customer")},
		post(storePath+"admin/customer/{customer}/activate", modify, activate, on, nil, nil, "ActivateCustomer"),
		post(storePath+"admin/customer/{customer}/deactivate", modify, deactivate, off, nil, nil, "DeactivateCustomer"),
		post(storePath+"seller/customer/{customer}/activate", seller, activate, on, nil, nil, "ActivateCustomer"),
		post(storePath+"seller/customer/{customer}/deactivate", seller, deactivate, off, nil, nil, "DeactivateCustomer"),
		list(storePath+"admin/customer", view),
		list(storePath+"customer", view.And(access.Seller).WithPIN()),
		{Method: "GET", Path: customerPath, Access: view.And(access.Seller, access.Customer).WithPIN(), Handle: getCustomer,
			Summary: "Show a customer", Query: api.LocaleQuery, Response: Detail{}},
		{Method: "PUT", Path: customerPath, Access: modify.And(access.Seller, access.Customer), Factor: api.Everyday,
			Handle: putCustomer, Summary: "Change the fields of a customer that are sent", Form: describeChange,
			Response: identity{}, Audit: api.Audited("UpdateCustomer", "customer")},
		{Method: "DELETE", Path: customerPath, Access: modify, Factor: api.Always, Handle: deleteCustomer,
			Summary: "Delete a customer", Response: api.NoContent{}, Audit: api.Audited("DeleteCustomer", "customer")},
		balance(storePath+"admin/customer/{customer}/status", view),
		balance(storePath+"customer/customer/{customer}/status", self),
		balance(customerPath+"/status", self),
		balance(storePath+"seller/customer/{customer}/status", byPIN),
		assign(customerPath+"/level", "levelId", modify.And(access.Seller), setLevel, "Set a level by hand",
			"MoveCustomerToLevel"),
		post(customerPath+"/remove-manually-level", modify, releaseLevel, "Release a level that was set by hand", nil,
			api.NoContent{}, "RemoveManualLevel"),
		assign(customerPath+"/pos", "posId", modify.And(access.Seller), assignPOS, setPOS, "AssignPosToCustomer"),
		assign(storePath+"seller/customer/{customer}/pos", "posId", seller, assignPOS, setPOS, "AssignPosToCustomer"),
		{Method: "GET", Path: storePath + "customer/check", Access: access.Public(), Handle: l.check,
			Summary: "Tell whether an e-mail address or phone is known", Query: describeContact, Response: counted{}},
		{Method: "POST", Path: storePath + "pos/search/customer", Access: byPIN, Factor: api.NoWrite, Handle: searchCustomers,
			Summary: "Search customers at the till", Form: describeSearch, Response: matches{}, Unkeyed: true},
		count(storePath + "customer/registrations"),
		count(storePath + "customer/registrations/daily"),
	}...)
}

// partEndpoints returns the endpoints of card numbers, avatars, devices, labels and the export.
func partEndpoints() []api.Endpoint {
	return slices.Concat(cardEndpoints(), avatarEndpoints(), pushTokenEndpoints(), labelEndpoints(),
		[]api.Endpoint{exportEndpoint()})
}

func labelEndpoints() []api.Endpoint {
	row := func(method, summary, event string, handle func(*api.Call) error) api.Endpoint {
		return write(method, customerPath+"/label", access.AdministratorWith(access.Customers, access.Modify), handle,
			summary, describeLabels, api.NoContent{}, event)
	}
	return []api.Endpoint{
		row("PUT", "Add labels", "UpdateCustomerLabels", addLabels),
		row("POST", "Add labels", "UpdateCustomerLabels", addLabels),
		row("DELETE", "Remove labels", "DeleteCustomerLabels", removeLabels),
	}
}

// describeID describes a form with one required id.
func describeID(name string) func(g *form.Group) {
	return func(g *form.Group) { g.UUID(name, form.NotBlank) }
}

// field reads a form of a single field, which a client may send in the body or in the query. The body wins.
func field(c *api.Call, name string) (*form.Group, error) {
	body, err := c.Body()
	if err != nil {
		return nil, err
	}
	if body.Has(name) {
		return form.Read(body), nil
	}
	query, err := c.Query()
	return form.Read(query), err
}

// Package customerapi has the endpoints of customers: registration, changes, lists, search and labels.
package customerapi

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
)

// Prefixes of the paths of a store, and of one of its customers.
const (
	storePath    = "/api/{storeCode}/"
	customerPath = storePath + "customer/{customer}"
)

const setPOS = "Set the point of sale of a customer" // summary of two endpoints

// write returns an endpoint for a change of a customer that gives nobody access.
func write(method, path string, rule access.Rule, do api.Operation, summary, event string) api.Endpoint {
	return api.Endpoint{Method: method, Path: path, Access: rule, Factor: api.Everyday, Do: do, Summary: summary,
		Audit: api.Audited(event, "customer")}
}

// Endpoints returns the endpoints of customers, and their labels. Without a database they only describe.
func Endpoints(d *db.DB, l Limits) []api.Endpoint {
	entrance := &entrance{l, newRegistrations(d)}
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	self, seller, byPIN := access.Only(access.Customer), access.Only(access.Seller), access.Only(access.Seller).WithPIN()
	post := func(path string, rule access.Rule, do api.Operation, summary, event string) api.Endpoint {
		return write("POST", path, rule, do, summary, event)
	}
	list := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Summary: "List customers",
			Do: api.Read(api.InList(customer.ListOrder(), describeList), listCustomers)}
	}
	balance := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Do: api.Read(api.InLocale, showBalance),
			Summary: "Show the points and the level of a customer"}
	}
	count := func(path string) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: view,
			Do:      api.Read(api.InCall(describeCount, readCount), countRegistrations),
			Summary: "Count registrations by day, month or year"}
	}
	register := func(path string, rule access.Rule) api.Endpoint {
		return post(storePath+path, rule, entrance.register(), "Register a customer", "RegisterCustomer")
	}
	activate, deactivate := changeStatus(true), changeStatus(false)
	toLevel, toPOS := assign("levelId", setLevel), assign("posId", assignPOS)
	const on, off = "Activate a customer", "Block a customer"
	return append(partEndpoints(), []api.Endpoint{
		register("admin/customer/register", modify),
		register("customer/register", modify),
		register("seller/customer/register", byPIN),
		{Method: "POST", Path: storePath + "customer/self_register", Access: access.Public(), Factor: api.NoSession,
			Do: entrance.selfRegister(), Summary: "Register oneself", Audit: api.Audited("RegisterCustomer", "customer")},
		post(storePath+"admin/customer/{customer}/activate", modify, activate, on, "ActivateCustomer"),
		post(storePath+"admin/customer/{customer}/deactivate", modify, deactivate, off, "DeactivateCustomer"),
		post(storePath+"seller/customer/{customer}/activate", seller, activate, on, "ActivateCustomer"),
		post(storePath+"seller/customer/{customer}/deactivate", seller, deactivate, off, "DeactivateCustomer"),
		list(storePath+"admin/customer", view),
		list(storePath+"customer", view.And(access.Seller).WithPIN()),
		{Method: "GET", Path: customerPath, Access: view.And(access.Seller, access.Customer).WithPIN(),
			Do: api.Read(api.InLocale, showCustomer), Summary: "Show a customer"},
		write("PUT", customerPath, modify.And(access.Seller, access.Customer), change(changedProfile, changeProfile),
			"Change the fields of a customer that are sent", "UpdateCustomer"),
		{Method: "DELETE", Path: customerPath, Access: modify, Factor: api.Always, Do: change(api.NoInput, deleteCustomer),
			Summary: "Delete a customer", Audit: api.Audited("DeleteCustomer", "customer")},
		balance(storePath+"admin/customer/{customer}/status", view),
		balance(storePath+"customer/customer/{customer}/status", self),
		balance(customerPath+"/status", self),
		balance(storePath+"seller/customer/{customer}/status", byPIN),
		post(customerPath+"/level", modify.And(access.Seller), toLevel, "Set a level by hand", "MoveCustomerToLevel"),
		post(customerPath+"/remove-manually-level", modify, api.Act(releaseLevel),
			"Release a level that was set by hand", "RemoveManualLevel"),
		post(customerPath+"/pos", modify.And(access.Seller), toPOS, setPOS, "AssignPosToCustomer"),
		post(storePath+"seller/customer/{customer}/pos", seller, toPOS, setPOS, "AssignPosToCustomer"),
		{Method: "GET", Path: storePath + "customer/check", Access: access.Public(),
			Do:      api.Read(api.Prepared(api.Query(readContact), l.countLookup), countByContact),
			Summary: "Tell whether an e-mail address or phone is known"},
		{Method: "POST", Path: storePath + "pos/search/customer", Access: byPIN, Factor: api.NoWrite,
			Do: api.Read(sought, searchCustomers), Summary: "Search customers at the till", Unkeyed: true},
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
	row := func(method, summary, event string, do api.Operation) api.Endpoint {
		modify := access.AdministratorWith(access.Customers, access.Modify)
		return write(method, customerPath+"/label", modify, do, summary, event)
	}
	add, remove := changeLabels(withLabels), changeLabels(withoutLabels)
	return []api.Endpoint{
		row("PUT", "Add labels", "UpdateCustomerLabels", add),
		row("POST", "Add labels", "UpdateCustomerLabels", add),
		row("DELETE", "Remove labels", "DeleteCustomerLabels", remove),
	}
}

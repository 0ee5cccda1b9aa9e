package privacy

import (
	"punchcard/core/access"
	"punchcard/core/api"
)

const ofStore = "/api/{storeCode}/"

// Endpoints returns the endpoints that export and that erase a customer's data.
func (svc *Service) Endpoints() []api.Endpoint {
	modify := access.AdministratorWith(access.Customers, access.Modify)
	export := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Handle: svc.exportData,
			Summary: "Export all data of a customer", Query: api.LocaleQuery, Response: exportDocument{svc.exports()}}
	}
	return []api.Endpoint{
		svc.leaveEndpoint(),
		{Method: "POST", Path: ofStore + "admin/customer/{customer}/anonymize", Access: modify, Factor: api.Always,
			Do: api.Tell(svc.anonymize), Summary: "Erase the identity of a customer and block the customer",
			Stepwise: true, Audit: api.Audited("AnonymizeCustomer", "customer")},
		export(ofStore+"admin/customer/{customer}/export", access.AdministratorWith(access.Customers, access.View)),
		export(ofStore+"customer/customer/{customer}/export", access.Only(access.Customer)),
	}
}

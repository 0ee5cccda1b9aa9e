package customer

import (
	"punchcard/api"
	"punchcard/api/access"
)

// privacyEndpoints are those by which a customer learns what is kept of him, and by which he is forgotten.
func (h Hooks) privacyEndpoints() []api.Endpoint {
	modify := access.AdministratorWith(access.Customers, access.Modify)
	export := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: rule, Handle: h.exportData,
			Summary: "Export all that is kept of a customer", Query: api.LocaleQuery, Answer: exportDocument{}}
	}
	return []api.Endpoint{
		{Method: "POST", Path: ofStore + "admin/customer/{customer}/anonymize", Access: modify, Handle: h.anonymize,
			Section: "B14", Summary: "Clear all that a customer can be known by, and switch him off",
			Answer: api.NoContent{}, Stepwise: true},
		export(ofStore+"admin/customer/{customer}/export", access.AdministratorWith(access.Customers, access.View)),
		export(ofStore+"customer/customer/{customer}/export", access.Only(access.Customer)),
	}
}

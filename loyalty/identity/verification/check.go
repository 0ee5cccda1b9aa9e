package verification

import (
	"punchcard/core/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/check"
)

// Rules returns the invariants of secrets that were sent and of contacts that wait: whose they are, and what for.
// Findings name the user, because the hash of a code gives the code away.
func Rules() []check.Rule {
	of := func(role access.Role) check.Table {
		return check.Table{Name: "verification_tokens", ID: "purpose", Only: "role = '" + string(role) + "'"}
	}
	tokens := check.Table{Name: "verification_tokens", ID: "user_id"}
	changes := check.Table{Name: "contact_changes", ID: "customer_id"}
	return []check.Rule{
		check.OneOf("account.purpose", tokens, "purpose", activation, reset, contact, invitation),
		check.OneOf("account.role", tokens, "role",
			string(access.Administrator), string(access.Seller), string(access.Customer)),
		check.Refers("account.administrator", of(access.Administrator), "user_id", admin.Administrators),
		check.Refers("account.seller", of(access.Seller), "user_id", seller.Sellers),
		check.Refers("account.customer", of(access.Customer), "user_id", customer.Customers),
		check.OneOf("account.contact", changes, "field", fieldEmail, fieldPhone),
		check.Refers("account.contact_of", check.Table{Name: "contact_changes", ID: "field"}, "customer_id",
			customer.Customers),
	}
}

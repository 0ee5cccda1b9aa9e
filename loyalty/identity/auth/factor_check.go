package auth

import (
	"punchcard/core/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/check"
)

// factorRules returns the invariants of second factors: whose they are.
func factorRules() (all []check.Rule) {
	for name, table := range map[string]string{"totp": "factor_totps", "passkey": "factor_passkeys"} {
		of := func(role access.Role) check.Table {
			return check.Table{Name: table, ID: "role", Only: "role = '" + string(role) + "'"}
		}
		all = append(all,
			check.OneOf("factor."+name+".role", check.Table{Name: table, ID: "user_id"}, "role",
				string(access.Administrator), string(access.Seller), string(access.Customer)),
			check.Refers("factor."+name+".administrator", of(access.Administrator), "user_id", admin.Administrators),
			check.Refers("factor."+name+".seller", of(access.Seller), "user_id", seller.Sellers),
			check.Refers("factor."+name+".customer", of(access.Customer), "user_id", customer.Customers))
	}
	return all
}

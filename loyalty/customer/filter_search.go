package customer

import (
	"punchcard/core/store"
	"punchcard/platform/form"
)

// searchFields are the fields of a search at the checkout, with their columns.
var searchFields = []struct{ name, column string }{
	{"loyaltyCardNumber", "loyalty_card_key"}, {"phone", "phone_key"}, {"email", "email"},
	{"firstName", "first_name_key"}, {"lastName", "last_name_key"}, {"city", "city_key"}, {"postcode", "postal_key"},
}

// ReadSearch reads the fields of a search at the checkout.
func ReadSearch(g *form.Group, s *store.Store) (f Filter) {
	for _, field := range searchFields {
		f.addKey(s, field.column, g.Key(field.name, form.MaxLength(TextLimit)))
	}
	return f
}

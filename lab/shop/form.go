// Package shop has the forms by which programs fill a shop and trade in it.
package shop

import (
	"net/url"
	"strconv"
)

// Path is where the endpoints of the store begin that a server has from the start.
const Path = "/api/DEFAULT/"

// Nested nests the fields of a form below a name.
func Nested(name string, fields url.Values) url.Values {
	form := url.Values{}
	for field, values := range fields {
		form[name+"["+field+"]"] = values
	}
	return form
}

// Level is the form of the level that customers need.
func Level() url.Values {
	return url.Values{
		"level[translations][en][name]": {"Bronze"}, "level[active]": {"1"}, "level[conditionValue]": {"0"},
		"level[reward][name]": {"Bronze"}, "level[reward][value]": {"5"}, "level[reward][code]": {"BRONZE"},
	}
}

// Campaign is the form of a campaign for a level. With a limit it has one coupon for each code, otherwise one code for
// all coupons.
func Campaign(name, level string, cost, limit, limitPerCustomer int, codes ...string) url.Values {
	fields := url.Values{
		"reward": {"discount_code"}, "translations][en][name": {name}, "translations][pl][name": {name}, "active": {"1"},
		"pushNotificationText": {name}, "costInPoints": {strconv.Itoa(cost)}, "target": {"level"}, "levels][": {level},
		"coupons][": codes, "daysInactive": {"0"}, "daysValid": {"0"}, "campaignVisibility][allTimeVisible": {"1"},
		"campaignActivity][allTimeActive": {"1"},
	}
	if limit == 0 {
		fields.Set("singleCoupon", "1")
		fields.Set("unlimited", "1")
	} else {
		fields.Set("limit", strconv.Itoa(limit))
		fields.Set("limitPerUser", strconv.Itoa(limitPerCustomer))
	}
	return Nested("campaign", fields)
}

// Registration is the form of a customer.
func Registration(email string) url.Values {
	return Nested("customer", url.Values{
		"firstName": {"Ida"}, "lastName": {"Berg"}, "email": {email}, "agreement1": {"1"},
	})
}

// Points is the form that gives or takes points of a customer.
func Points(customer string, value int, comment string) url.Values {
	return Nested("transfer", url.Values{
		"customer": {customer}, "points": {strconv.Itoa(value)}, "comment": {comment},
	})
}

// Receipt is the form of a sale of tea, or of its return, which names the receipt of the sale.
func Receipt(number, kind, revised, email string, value int) url.Values {
	return Nested("transaction", url.Values{
		"transactionData][documentNumber": {number}, "transactionData][documentType": {kind},
		"revisedDocument": {revised}, "items][0][sku][code": {"TEA"}, "items][0][name": {"Tea"},
		"items][0][quantity": {"1"}, "items][0][grossValue": {strconv.Itoa(value)},
		"items][0][category": {"drinks"}, "customerData][name": {"Ida Berg"}, "customerData][email": {email},
	})
}

package customerapi

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/form"
)

// wantsCard reports whether a registration asks for a card number, beside the group of the customer, and the store
// issues them.
func wantsCard(c *api.Call) (bool, error) {
	body, err := c.Body()
	return err == nil && readCard(form.Read(body)) && c.Store.Settings.IssueLoyaltyCards, err
}

func readCard(g *form.Group) bool { return g.Checkbox("issueCard") }

// cardEndpoints returns the endpoints that issue card numbers.
func cardEndpoints() []api.Endpoint {
	issue := func(path string, rule access.Rule) api.Endpoint {
		return api.Endpoint{Method: "POST", Path: storePath + path, Access: rule, Factor: api.Everyday,
			Do:      change(api.NoInput, issueCard),
			Summary: "Issue a loyalty card number to a customer who has none",
			Audit:   api.Audited("IssueLoyaltyCard", "customer"), Secrets: []string{"loyaltyCardNumber"}}
	}
	return []api.Endpoint{
		issue("admin/customer/{customer}/card", access.AdministratorWith(access.Customers, access.Modify)),
		issue("seller/customer/{customer}/card", access.Only(access.Seller)),
		issue("customer/customer/{customer}/card", access.Only(access.Customer)),
	}
}

type cardNumber struct {
	Number string `json:"loyaltyCardNumber"`
}

// issueCard returns the card number of the customer, a new one if there was none.
func issueCard(w *api.Writing, who *customer.Customer, _ struct{}) (issued cardNumber, err error) {
	err = customer.IssueCard(w.Tx, w.Store, who)
	return cardNumber{who.LoyaltyCard}, err
}

package customerapi

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/device"
	"punchcard/platform/form"
)

func pushTokenEndpoints() []api.Endpoint {
	const path = customerPath + "/pushy-token"
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view.And(access.Customer), Do: api.Show(listPushTokens),
			Summary: "List the devices of a customer that get push messages"},
		write("POST", path, modify.And(access.Customer),
			api.WriteTo(customerOfPath, api.Body("customer", readPushToken), addPushToken),
			"Register a device of a customer for push messages", "AddCustomerDevice"),
		write("DELETE", path+"/{token}", modify.And(access.Customer), api.Act(removePushToken),
			"Stop push messages to a device of a customer", "RemoveCustomerDevice"),
	}
}

type pushTokenList struct {
	Tokens []string `json:"tokens"`
}

func listPushTokens(r *api.Reading) (list pushTokenList, err error) {
	id, err := idOfPath(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	tokens, err := device.Tokens(r.Tx, r.Store.Key, id)
	list.Tokens = make([]string, len(tokens))
	for i := range tokens {
		list.Tokens[i] = tokens[i].Value
	}
	return list, err
}

// readPushToken reads a token, which has at most some 250 characters with the services in use.
func readPushToken(g *form.Group) string {
	return g.Text("pushyToken", form.NotBlank, form.MaxLength(2*customer.TextLimit))
}

func addPushToken(w *api.Writing, _ *customer.Customer, token string) (none api.NoContent, err error) {
	who, err := lockOfPath(w)
	if err != nil {
		return none, err
	}
	if !who.AnonymizedAt.IsZero() {
		return none, customer.ErrAnonymized
	}
	return none, device.AddToken(w.Tx, w.Store.Key, who.ID, token)
}

func removePushToken(w *api.Writing) (none api.NoContent, err error) {
	who, err := lockOfPath(w)
	if err != nil {
		return none, err
	}
	return none, device.RemoveToken(w.Tx, w.Store.Key, who.ID, w.PathValue("token"))
}

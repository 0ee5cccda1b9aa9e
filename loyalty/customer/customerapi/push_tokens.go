package customerapi

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

func pushTokenEndpoints() []api.Endpoint {
	const path = customerPath + "/pushy-token"
	view := access.AdministratorWith(access.Customers, access.View)
	modify := access.AdministratorWith(access.Customers, access.Modify)
	return []api.Endpoint{
		{Method: "GET", Path: path, Access: view.And(access.Customer), Handle: listPushTokens,
			Summary: "List the devices of a customer that get push messages", Response: pushTokenList{}},
		{Method: "POST", Path: path, Access: modify.And(access.Customer), Factor: api.Everyday, Handle: addPushToken,
			Summary: "Register a device of a customer for push messages",
			Form:    func(g *form.Group) { readPushToken(g.Group("customer")) }, Response: api.NoContent{},
			Audit: api.Audited("AddCustomerDevice", "customer")},
		{Method: "DELETE", Path: path + "/{token}", Access: modify.And(access.Customer), Factor: api.Everyday,
			Handle:  removePushToken,
			Summary: "Stop push messages to a device of a customer", Response: api.NoContent{},
			Audit: api.Audited("RemoveCustomerDevice", "customer")},
	}
}

type pushTokenList struct {
	Tokens []string `json:"tokens"`
}

func listPushTokens(c *api.Call) error {
	response := pushTokenList{Tokens: []string{}}
	err := c.Read(func(tx *db.Tx) error {
		id, err := idOfPath(c, tx)
		if err != nil {
			return err
		}
		tokens, err := customer.PushTokens(tx, c.Store.Key, id)
		for _, t := range tokens {
			response.Tokens = append(response.Tokens, t.Token)
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// readPushToken reads a token, which has at most some 250 characters with the services in use.
func readPushToken(g *form.Group) string {
	return g.Text("pushyToken", form.NotBlank, form.MaxLength(2*customer.TextLimit))
}

func addPushToken(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body, "customer")
	token := readPushToken(g)
	return c.Write(func(tx *db.Tx) error {
		who, err := lockOfPath(c, tx)
		if err != nil {
			return err
		}
		if err := g.Err(); err != nil { // an unknown customer is reported before an invalid form
			return err
		}
		return customer.AddPushToken(tx, who, token)
	}, c.NoContent)
}

func removePushToken(c *api.Call) error {
	return c.Write(func(tx *db.Tx) error {
		who, err := lockOfPath(c, tx)
		if err != nil {
			return err
		}
		return customer.RemovePushToken(tx, c.Store.Key, who.ID, c.PathValue("token"))
	}, c.NoContent)
}

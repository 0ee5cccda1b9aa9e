package membership

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
)

// Endpoints returns the endpoints of levels that need customers.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Levels, access.View)
	members := func(path string) api.Endpoint {
		return api.Endpoint{Method: "GET", Path: path, Access: view, Handle: listMembers,
			Summary: "List the customers of a level", Query: api.PageQuery(customer.Sortable().Columns), Response: memberList{}}
	}
	modify := access.AdministratorWith(access.Levels, access.Modify)
	return []api.Endpoint{
		{Method: "DELETE", Path: "/api/{storeCode}/level/{level}", Access: modify, Handle: deleteLevel,
			Summary: "Delete a level", Response: api.NoContent{}},
		members("/api/{storeCode}/level/{level}/customers"),
		members("/api/{storeCode}/admin/level/{level}/customers"),
		{Method: "GET", Path: "/api/{storeCode}/csv/level/{level}", Access: view, Handle: exportMembers,
			Summary: "Export the customers of a level", Response: api.Media("text/csv")},
	}
}

// deleteLevel deletes a level. The first batch of its customers moves to other levels before the response is
// sent, the rest with the job.
func deleteLevel(c *api.Call) error {
	err := c.Write(func(tx *db.Tx) error {
		l, err := level.Of(c, tx)
		if err != nil {
			return err
		}
		return DeleteLevel(tx, c.Store, l.ID)
	})
	if err != nil {
		return err
	}
	return c.NoContent()
}

// member is a customer in the list of a level.
type member struct {
	CustomerID string `json:"customerId"`
	FirstName  string `json:"firstName"`
	LastName   string `json:"lastName"`
	Email      string `json:"email,omitempty"`
}

type memberList struct {
	Customers []member `json:"customers"`
	Total     int64    `json:"total"`
}

func listMembers(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	response := memberList{Customers: []member{}}
	err = c.Read(func(tx *db.Tx) error {
		l, err := level.Of(c, tx)
		if err != nil {
			return err
		}
		response.Total = l.Customers
		found, err := customer.OfLevel(l.ID).Page(tx, c.Store.Key, page)
		for _, who := range found {
			response.Customers = append(response.Customers, member{who.ID, who.FirstName, who.LastName, who.Email})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

func exportMembers(c *api.Call) error {
	var id string
	err := c.Read(func(tx *db.Tx) error {
		l, err := level.Of(c, tx)
		if err == nil {
			id = l.ID
		}
		return err
	})
	if err != nil {
		return err
	}
	return customer.Export(c, "level", func(tx *db.Tx, after string, limit int) ([]string, error) {
		return customer.MembersOf(tx, c.Store.Key, id, after, limit)
	})
}

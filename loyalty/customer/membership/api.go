package membership

import (
	"bufio"
	"encoding/json"
	"fmt"

	"punchcard/core/access"
	"punchcard/core/api"
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
		{Method: "GET", Path: "/api/{storeCode}/admin/customer/{customer}/levels", Access: view,
			Do:      api.Read(api.Prepared(api.InList[string](nil, describeLevels), movedList), listLevels),
			Summary: "List the levels of the store, and which the customer is in and why"},
		{Method: "DELETE", Path: "/api/{storeCode}/level/{level}", Access: modify, Factor: api.Everyday,
			Do: api.Act(deleteLevel), Summary: "Delete a level", Audit: api.Audited("DeleteLevel", "level")},
		members("/api/{storeCode}/level/{level}/customers"),
		members("/api/{storeCode}/admin/level/{level}/customers"),
		{Method: "GET", Path: "/api/{storeCode}/csv/level/{level}", Access: view, Handle: exportMembers,
			Summary: "Export the customers of a level", Query: api.TableQuery(customer.ExportColumns),
			Response: api.Tables},
	}
}

// deleteLevel deletes a level. The first batch of its customers moves to other levels before the response is
// sent, the rest with the job.
func deleteLevel(w *api.Writing) (none api.NoContent, err error) {
	l, err := level.Of(w.Call, w.Tx)
	if err != nil {
		return none, err
	}
	return none, DeleteLevel(w.Tx, w.Store, l.ID)
}

// member is a customer in the list of a level.
type member struct {
	CustomerID string `json:"customerId"`
	FirstName  string `json:"firstName"`
	LastName   string `json:"lastName"`
	Email      string `json:"email,omitempty"`
	Phone      string `json:"phone,omitempty"`
}

func memberOf(c *customer.Customer) member {
	return member{c.ID, c.FirstName, c.LastName, c.Email, c.Phone}
}

type memberList struct {
	Customers []member `json:"customers"`
	Total     int64    `json:"total"`
}

// listMembers serves a page of the customers of a level or, without page and perPage, all up to the result window.
func listMembers(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	query, err := c.Query()
	if err != nil {
		return err
	}
	if !query.Has("page") && !query.Has("perPage") {
		if page.Sort == "" && !page.Descending {
			return sendMembers(c)
		}
		page.Limit = c.ResultWindow()
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
			response.Customers = append(response.Customers, memberOf(&who))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

// sendMembers serves all customers of a level in the order of their ids, up to the result window. It reads and sends
// them in parts, so that its memory does not grow with their number.
func sendMembers(c *api.Call) error {
	var l *level.Level
	if err := c.Read(func(tx *db.Tx) (err error) {
		l, err = level.Of(c, tx)
		return err
	}); err != nil {
		return err
	}
	c.ResponseHeader().Set("Content-Type", "application/json")
	out := bufio.NewWriterSize(c.Stream(), 16<<10) // returns its first error at the end
	_, _ = out.WriteString(`{"customers":[`)
	const part = 500
	after, sent := "", 0
	for more := true; more; {
		var found []customer.Customer
		size := min(part, c.ResultWindow()-sent)
		err := c.Read(func(tx *db.Tx) (err error) {
			found, err = customer.MembersAfter(tx, c.Store.Key, l.ID, after, size)
			return err
		})
		if err != nil {
			return err
		}
		for i := range found {
			text, err := json.Marshal(memberOf(&found[i]))
			if err != nil {
				return err
			}
			if sent > 0 {
				_ = out.WriteByte(',')
			}
			_, _ = out.Write(text)
			after, sent = found[i].ID, sent+1
		}
		more = len(found) == part && sent < c.ResultWindow()
	}
	_, _ = fmt.Fprintf(out, `],"total":%d}`, l.Customers)
	return out.Flush()
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

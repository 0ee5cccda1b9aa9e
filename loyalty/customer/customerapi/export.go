package customerapi

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/search"
)

func exportEndpoint() api.Endpoint {
	return api.Endpoint{Method: "GET", Path: storePath + "csv/customer",
		Access: access.AdministratorWith(access.Customers, access.View), Handle: exportList,
		Summary: "Export customers", Query: api.TableQuery(customer.ExportColumns, customer.DescribeFilter),
		Response: api.Tables}
}

// exportList serves the customers of the list with the same filters as CSV, in order of registration; a search comes
// in the order of its matches.
func exportList(c *api.Call) error {
	query, err := c.Filters()
	if err != nil {
		return err
	}
	var f customer.Filter
	err = c.Read(func(tx *db.Tx) (err error) {
		f, err = Filter(tx, query, c.Now(), c.Store)
		return err
	})
	if err != nil {
		return err
	}
	if err := c.RefuseUnread(f.Unread); err != nil {
		return err
	}
	if words := query.Child("q").Text(); words != "" {
		var ids []string
		err := c.Read(func(tx *db.Tx) (err error) {
			ids, _, err = customer.SearchIDs(tx, c.Store.Key, words, search.ResultLimit, 0)
			return err
		})
		if err != nil {
			return err
		}
		return customer.Export(c, "customers", func(_ *db.Tx, after string, limit int) ([]string, error) {
			from := slices.Index(ids, after) + 1
			return ids[from:min(from+limit, len(ids))], nil
		})
	}
	return customer.Export(c, "customers", func(tx *db.Tx, after string, limit int) ([]string, error) {
		q := f.IDs(c.Store.Key).And(`customer_id > ?`, after).Add(` ORDER BY customer_id LIMIT ?`, limit)
		return db.AllValues[string](tx, q.Text(), q.Args()...)
	})
}

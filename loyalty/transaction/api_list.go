package transaction

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

func exampleFilter(q *form.Group) filter { return readFilter(q, store.Example) }

// listAll serves the transactions of a store. Customers see only their own.
func listAll(c *api.Call) error {
	return listWhere(c, func(_ *db.Tx, f *filter) error {
		if c.Caller.Role == access.Customer {
			f.and("customer_id", "=", c.Caller.ID)
		}
		return nil
	})
}

// listOfCustomer serves the transactions of one customer.
func listOfCustomer(c *api.Call) error {
	return listWhere(c, func(tx *db.Tx, f *filter) error {
		who, err := customer.Of(c, tx)
		f.and("customer_id", "=", who.ID)
		return err
	})
}

// listOfDocument serves the transactions with a document number.
func listOfDocument(c *api.Call) error {
	return listWhere(c, func(_ *db.Tx, f *filter) error {
		*f = filter{}
		number := keytext.Clean(c.PathValue("documentNumber"))
		f.and("document_key", "=", filterKey(number))
		f.and("document_number", "=", number)
		return nil
	})
}

// listWhere responds with the transactions that the query selects, restricted by narrow.
func listWhere(c *api.Call, narrow func(tx *db.Tx, f *filter) error) error {
	request, err := c.Page()
	if err != nil {
		return err
	}
	query, err := c.Filters()
	if err != nil {
		return err
	}
	var response viewList
	err = c.Read(func(tx *db.Tx) error {
		f := readFilter(form.Read(query), c.Store)
		if err := narrow(tx, &f); err != nil {
			return err
		}
		found, total, err := readPage(tx, c.Store.Key, f, request)
		if err != nil {
			return err
		}
		response.Total = total
		response.Transactions, err = viewsOf(tx, c.Store, found)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

type itemLabelList struct {
	Labels map[string][]string `json:"labels"`
}

// listItemLabels serves the labels that items of the store have.
func listItemLabels(c *api.Call) error {
	var response itemLabelList
	err := c.Read(func(tx *db.Tx) (err error) {
		response.Labels, err = itemLabels(tx, c.Store.Key)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

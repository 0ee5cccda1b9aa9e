package transaction

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/platform/form"
	"punchcard/platform/keytext"
)

func exampleFilter(q *form.Group) filter { return readFilter(q, store.Example) }

// listAll lists the transactions of a store. Customers see only their own.
func listAll(r *api.Reading, in api.ListRequest) (viewList, error) {
	f := readFilter(form.Read(in.Query), r.Store)
	if r.Caller.Role == access.Customer {
		f.and("customer_id", "=", r.Caller.ID)
	}
	return listWhere(r, in, f)
}

// listOfCustomer lists the transactions of one customer.
func listOfCustomer(r *api.Reading, in api.ListRequest) (viewList, error) {
	f := readFilter(form.Read(in.Query), r.Store)
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return viewList{}, err
	}
	f.and("customer_id", "=", who.ID)
	return listWhere(r, in, f)
}

// listOfDocument lists the transactions with a document number.
func listOfDocument(r *api.Reading, in api.ListRequest) (viewList, error) {
	number := keytext.Clean(r.PathValue("documentNumber"))
	var f filter
	f.and("document_key", "=", filterKey(number))
	f.and("document_number", "=", number)
	return listWhere(r, in, f)
}

func listWhere(r *api.Reading, in api.ListRequest, f filter) (viewList, error) {
	found, total, err := readPage(r.Tx, r.Store.Key, f, in.Page)
	if err != nil {
		return viewList{}, err
	}
	views, err := viewsOf(r.Tx, r.Store, found)
	return viewList{views, total}, err
}

type itemLabelList struct {
	Labels map[string][]string `json:"labels"`
}

// listItemLabels lists the labels that items of the store have.
func listItemLabels(r *api.Reading) (itemLabelList, error) {
	labels, err := itemLabels(r.Tx, r.Store.Key)
	return itemLabelList{labels}, err
}

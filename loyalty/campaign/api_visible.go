package campaign

import (
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
)

type customerList struct {
	Customers []customerapi.Summary `json:"customers"`
	Total     int64                 `json:"total"`
}

// listCustomers lists the customers who see the campaign now, in order of registration.
func (k *Catalogue) listCustomers() func(*api.Reading, api.ListRequest) (customerList, error) {
	return func(r *api.Reading, request api.ListRequest) (customerList, error) {
		list := customerList{Customers: []customerapi.Summary{}}
		id, err := PathID(r.Call)
		if err != nil {
			return list, err
		}
		found, _, err := k.Find(r.Tx, r.Store.Key, id)
		if err != nil || !found.VisibleAt(r.Tx.Now()) {
			return list, err
		}
		levels, err := level.Counted(r.Tx, r.Store.Key)
		if err != nil {
			return list, err
		}
		viewer, err := k.newViewer(r.Tx, r.Store, request.Locale, levels, found)
		if err != nil {
			return list, err
		}
		list.Total = viewer.sizes[id]
		audience := audienceOf(r.Store.Key, &found.Definition, viewer.Levels)
		ids, err := audience.next(r.Tx, "", request.Offset+request.Limit)
		if err != nil || len(ids) <= request.Offset {
			return list, err
		}
		list.Customers, err = summaries(r.Tx, viewer, ids[request.Offset:])
		return list, err
	}
}

func summaries(tx *db.Tx, v *Viewer, ids []string) ([]customerapi.Summary, error) {
	customers, err := customer.FindAll(tx, v.Store.Key, ids...)
	if err != nil {
		return nil, err
	}
	purchases, err := customerapi.Coupons(tx, v.Store, ids...)
	summaries := make([]customerapi.Summary, 0, len(ids))
	for _, id := range ids {
		if who := customers[id]; who != nil {
			summaries = append(summaries, customerapi.SummaryOf(v.Store, v.Levels, who, purchases[id]))
		}
	}
	return summaries, err
}

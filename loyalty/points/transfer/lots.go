package transfer

import (
	"punchcard/core/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
)

// lotView is a lot with points left.
type lotView struct {
	view
	Left points.Amount `json:"left"`
}

type lotList struct {
	Lots  []lotView `json:"lots"`
	Total int       `json:"total"`
}

// listLots lists the lots of a customer that have points left, in the order in which they are spent.
func listLots(r *api.Reading) (lotList, error) {
	list := lotList{Lots: []lotView{}}
	who, err := customer.Of(r.Call, r.Tx)
	if err != nil {
		return list, err
	}
	found, total, err := points.Lots(r.Tx, r.Store, who.ID)
	if list.Total = total; err != nil || len(found) == 0 {
		return list, err
	}
	views, err := viewsOf(r.Tx, r.Store, found)
	for i := range views {
		list.Lots = append(list.Lots, lotView{views[i], found[i].Available})
	}
	return list, err
}

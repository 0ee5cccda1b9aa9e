package transfer

import (
	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
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

// lots serves the lots of a customer that have points left, in the order in which they are spent.
func (h Hooks) lots(c *api.Call) error {
	response := lotList{Lots: []lotView{}}
	err := c.Read(func(tx *db.Tx) error {
		who, err := customer.Of(c, tx)
		if err != nil {
			return err
		}
		found, total, err := points.Lots(tx, c.Store, who.ID)
		if response.Total = total; err != nil || len(found) == 0 {
			return err
		}
		views, err := h.views(tx, c.Store, found)
		for i := range views {
			response.Lots = append(response.Lots, lotView{views[i], found[i].Available})
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

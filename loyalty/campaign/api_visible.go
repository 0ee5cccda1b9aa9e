package campaign

import (
	"punchcard/api"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
)

type customerList struct {
	Customers []customerapi.Summary `json:"customers"`
	Total     int64                 `json:"total"`
}

// listCustomers serves the customers who see the campaign now, in order of registration.
func (k *Catalogue) listCustomers(hooks Hooks) func(c *api.Call) error {
	return func(c *api.Call) error {
		request, err := c.ListRequest()
		if err != nil {
			return err
		}
		id, err := PathID(c)
		if err != nil {
			return err
		}
		response := customerList{Customers: []customerapi.Summary{}}
		err = c.Read(func(tx *db.Tx) error {
			found, _, err := k.Find(tx, c.Store.Key, id)
			if err != nil || !found.VisibleAt(tx.Now()) {
				return err
			}
			levels, err := level.All(tx, c.Store.Key)
			if err != nil {
				return err
			}
			viewer, err := k.newViewer(tx, c.Store, request.Locale, levels, found)
			if err != nil {
				return err
			}
			response.Total = viewer.sizes[id]
			audience := audienceOf(c.Store.Key, &found.Definition, viewer.Levels)
			ids, err := audience.next(tx, "", request.Offset+request.Limit)
			if err != nil || len(ids) <= request.Offset {
				return err
			}
			response.Customers, err = hooks.summaries(tx, viewer, ids[request.Offset:])
			return err
		})
		if err != nil {
			return err
		}
		return c.OK(response)
	}
}

func (h *Hooks) summaries(tx *db.Tx, v *Viewer, ids []string) ([]customerapi.Summary, error) {
	customers, err := customer.FindAll(tx, v.Store.Key, ids...)
	if err != nil {
		return nil, err
	}
	purchases, err := h.Purchases(tx, v.Store, ids...)
	summaries := make([]customerapi.Summary, 0, len(ids))
	for _, id := range ids {
		if who := customers[id]; who != nil {
			summaries = append(summaries, customerapi.SummaryOf(v.Store, v.Levels, who, purchases[id]))
		}
	}
	return summaries, err
}

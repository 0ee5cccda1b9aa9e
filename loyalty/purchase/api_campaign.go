package purchase

import (
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// listOfCampaign serves the purchases of one campaign, the newest first. Purchases are numbered in each campaign, so
// that a page costs the same wherever it is.
func listOfCampaign(c *api.Call) error {
	page, err := c.Page()
	if err != nil {
		return err
	}
	id, err := campaign.PathID(c)
	if err != nil {
		return err
	}
	response := boughtList{Bought: []bought{}}
	err = c.Read(func(tx *db.Tx) error {
		counters, err := campaign.CountersOf(tx, c.Store.Key, id)
		if err != nil {
			return err
		}
		of, known := counters[id]
		if !known {
			return fault.ErrNotFound
		}
		response.Total = of.Purchases()
		last := of.Purchases() - int64(page.Offset)
		found, err := table.All(tx, `SELECT * FROM campaign_purchases
			WHERE store_id = ? AND campaign_id = ? AND position <= ? AND position > ?
			ORDER BY position DESC`, c.Store.Key, id, last, last-int64(page.Limit))
		for i := range found {
			response.Bought = append(response.Bought, boughtView(c.Store, &found[i], tx.Now()))
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(response)
}

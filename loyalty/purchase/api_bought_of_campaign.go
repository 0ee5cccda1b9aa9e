package purchase

import (
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/fault"
)

// listOfCampaign lists the purchases of one campaign, the newest first. Purchases are numbered in each campaign, so
// that a page costs the same wherever it is.
func listOfCampaign(r *api.Reading, page api.Page) (boughtList, error) {
	id, err := campaign.PathID(r.Call)
	if err != nil {
		return boughtList{}, err
	}
	counters, err := campaign.CountersOf(r.Tx, r.Store.Key, id)
	if err != nil {
		return boughtList{}, err
	}
	of, known := counters[id]
	if !known {
		return boughtList{}, fault.ErrNotFound
	}
	last := of.Purchases() - int64(page.Offset)
	found, err := table.All(r.Tx, `SELECT * FROM campaign_purchases
		WHERE store_id = ? AND campaign_id = ? AND position <= ? AND position > ?
		ORDER BY position DESC`, r.Store.Key, id, last, last-int64(page.Limit))
	return boughtViews(r, found, of.Purchases()), err
}

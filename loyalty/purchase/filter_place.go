package purchase

import (
	"math"

	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
)

// place is where purchases stand in a campaign, which numbers them in the order of buying.
type place struct {
	campaignID  string
	first, last int64 // positions, both inclusive
}

// locate finds the places of the filter's campaign or code. It reports false if nothing can match. The code of a
// percentage voucher has no place, because many have the same.
func (f *filter) locate(tx *db.Tx, storeKey int64) (bool, error) {
	f.places = nil
	switch {
	case f.customerID != "":
		return true, nil // the purchases of one customer are few
	case f.code == "" && f.campaignID != "":
		f.places = []place{{f.campaignID, 1, math.MaxInt64}}
	case f.code != "":
		of, err := campaign.PlacesOf(tx, storeKey, f.code)
		if err != nil {
			return false, err
		}
		sold, err := soldAt(tx, storeKey, f.code, of)
		if err != nil {
			return false, err
		}
		for _, p := range of {
			n := len(sold[p.CampaignID])
			if n == 0 || f.campaignID != "" && f.campaignID != p.CampaignID {
				continue
			}
			found := place{p.CampaignID, p.Position, p.Position}
			if n > 1 { // the code of a single coupon, which later customers have as well
				found.last = math.MaxInt64
			}
			f.places = append(f.places, found)
		}
		return len(f.places) > 0, nil
	}
	return true, nil
}

// isOne reports whether all matches stand in one campaign, whose positions are then the order of buying.
func (f *filter) isOne() bool { return len(f.places) == 1 }

// locateIn adds the conditions for customer, campaign and code.
func (f *filter) locateIn(from *db.SQL) {
	if f.customerID != "" {
		from.And("customer_id = ?", f.customerID)
		if f.campaignID != "" {
			from.And("COALESCE(campaign_id, '') = ?", f.campaignID) // keeps the planner from scanning the campaign
		}
	}
	if f.code != "" {
		from.And("code = ?", f.code)
	}
	for i, p := range f.places {
		from.Add([]string{" AND (", " OR "}[min(i, 1)])
		from.Add("campaign_id = ? AND position >= ? AND position <= ?", p.campaignID, p.first, p.last)
	}
	if len(f.places) > 0 {
		from.Add(")")
	}
}

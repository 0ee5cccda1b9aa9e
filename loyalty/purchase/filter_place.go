package purchase

import (
	"math"

	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
)

// place is a range of positions in a campaign, which numbers its purchases in the order of buying.
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
		return true, nil // the purchases of one customer are few, and have an index
	case f.code == "" && f.campaignID != "":
		f.places = []place{{f.campaignID, 1, math.MaxInt64}}
	case f.code != "":
		of, err := campaign.PlacesOf(tx, storeKey, f.code)
		if err != nil {
			return false, err
		}
		sold, err := soldAt(tx, storeKey, map[string][]campaign.Place{f.code: of})
		if err != nil {
			return false, err
		}
		for _, p := range of {
			n := len(sold[codeOf{p.CampaignID, f.code}])
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

// isOne reports whether all matches are in one campaign. Its positions are then the order of buying.
func (f *filter) isOne() bool { return len(f.places) == 1 }

// locateIn adds the conditions for customer, campaign and code. Functions and plus signs keep the planner from scanning
// a campaign where another index reads less.
func (f *filter) locateIn(from *db.SQL) {
	if f.customerID != "" && f.campaignID != "" {
		from.And("campaign_id = ?", f.campaignID)
	}
	if f.code != "" {
		from.And("code = ?", f.code)
	}
	inPlace := "campaign_id = ? AND position >= ? AND position <= ?"
	if f.others {
		inPlace = "COALESCE(campaign_id, '') = ? AND +position >= ? AND +position <= ?"
	}
	for i, p := range f.places {
		from.Add([]string{" AND (", " OR "}[min(i, 1)])
		from.Add(inPlace, p.campaignID, p.first, p.last)
	}
	if len(f.places) > 0 {
		from.Add(")")
	}
}

// totalInPlaces counts the matches of a campaign or a code, up to CountLimit. If the other filters select fewer
// purchases of the store than the campaign has, their index answers; otherwise the campaign is walked until enough
// are counted.
func (f *filter) totalInPlaces(tx *db.Tx, storeKey int64) (int64, error) {
	others := *f
	others.campaignID, others.code, others.places = "", "", nil
	if f.isOne() && (others.indexed() || len(others.spans) > 0) {
		id := f.places[0].campaignID
		of, err := campaign.CountersOf(tx, storeKey, id)
		if err != nil {
			return 0, err
		}
		k := of[id]
		most := min(k.Purchases(), gatherLimit)
		n, err := others.countTo(tx, storeKey, most, true)
		if err != nil {
			return 0, err
		}
		f.others = n < most
	}
	return f.countTo(tx, storeKey, CountLimit, f.others || !f.isOne())
}

// countTo counts the matches, up to a limit.
func (f *filter) countTo(tx *db.Tx, storeKey, limit int64, gather bool) (int64, error) {
	s := f.from(storeKey, gather).Select("1")
	s.Add(" LIMIT ?", limit)
	return db.Value[int64](tx, "SELECT COUNT(*) FROM ("+s.Text()+") AS matches", s.Args()...)
}

package purchase

import (
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// countRecent replaces how often customers have bought campaigns, by customer and campaign, by the number in the
// present period, for those of the campaigns whose limit per customer counts in a period. It costs nothing for the
// others.
func countRecent(tx *db.Tx, s *store.Store, campaigns map[string]*campaign.Campaign,
	bought map[string]map[string]int64) error {
	var pairs []points.Pair
	for id, c := range campaigns {
		if c.LimitPeriod == "" {
			continue
		}
		for customerID, counts := range bought {
			if counts[id] > 0 {
				pairs = append(pairs, points.Pair{CustomerID: customerID, CampaignID: id})
			}
		}
	}
	recent, err := recentCounts(tx, s, campaigns, pairs)
	for _, p := range pairs {
		bought[p.CustomerID][p.CampaignID] = recent[p]
	}
	return err
}

// recentCounts returns how often customers have bought campaigns in the present period of the limit per customer. The
// pairs are distinct, and cancelled coupons do not count. It reads what each has bought since the period began.
func recentCounts(tx *db.Tx, s *store.Store, campaigns map[string]*campaign.Campaign, pairs []points.Pair) (
	map[points.Pair]int64, error) {
	recent := map[points.Pair]int64{}
	if len(pairs) == 0 {
		return recent, nil
	}
	rows := make([][]any, len(pairs))
	for i, p := range pairs {
		since, _ := campaigns[p.CampaignID].LimitSpan(tx.Now(), s.Zone)
		rows[i] = []any{p.CustomerID, p.CampaignID, since.UnixMicro()}
	}
	type row struct {
		points.Pair
		bought int64
	}
	return recent, db.Each(tx, func(r *row) []any { return []any{&r.CustomerID, &r.CampaignID, &r.bought} },
		func(r row) { recent[r.Pair] = r.bought },
		`SELECT p.customer_id, p.campaign_id, COUNT(*) FROM ? AS v (store, customer, campaign, since)
			CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.customer AND p.purchased_at >= v.since
			AND p.campaign_id = v.campaign AND p.status <> 'cancelled' GROUP BY p.customer_id, p.campaign_id`,
		tx.AmongRows(s.Key, []string{"TEXT", "TEXT", "BIGINT"}, rows...))
}

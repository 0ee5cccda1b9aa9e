package campaign

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"punchcard/platform/db"
)

// Pair is a customer and a campaign.
type Pair struct{ CustomerID, CampaignID string }

// pairsAtOnce is how many pairs one statement asks for.
const pairsAtOnce = 64

// BoughtBy tells how often each customer bought each campaign: every pair is in the result. It is
// exact while the campaigns' counters are locked.
func BoughtBy(tx *db.Tx, storeKey int64, pairs []Pair) (map[Pair]int64, error) {
	bought := make(map[Pair]int64, len(pairs))
	for _, p := range pairs {
		bought[p] = 0
	}
	distinct := slices.SortedFunc(maps.Keys(bought), func(a, b Pair) int {
		return cmp.Or(cmp.Compare(a.CustomerID, b.CustomerID), cmp.Compare(a.CampaignID, b.CampaignID))
	})
	for some := range slices.Chunk(distinct, pairsAtOnce) {
		if err := readBought(tx, storeKey, some, bought); err != nil {
			return nil, err
		}
	}
	return bought, nil
}

func readBought(tx *db.Tx, storeKey int64, pairs []Pair, into map[Pair]int64) error {
	size := 1
	for size < len(pairs) {
		size *= 4
	}
	args := make([]any, 0, 2*size+1)
	for i := range size { // padded by the last pair, so that few texts arise
		p := pairs[min(i, len(pairs)-1)]
		args = append(args, p.CustomerID, p.CampaignID)
	}
	var tuples strings.Builder
	db.Tuples(&tuples, size, 2)
	args = append(args, storeKey)
	type row struct {
		Pair
		bought int64
	}
	return db.Each(tx, func(r *row) []any { return []any{&r.CustomerID, &r.CampaignID, &r.bought} },
		func(r row) { into[r.Pair] = r.bought },
		`SELECT c.customer_id, c.campaign_id, c.bought FROM (VALUES `+tuples.String()+`) AS v
			JOIN campaign_customers c ON c.store_id = $`+strconv.Itoa(len(args))+`
				AND c.customer_id = v.column1 AND c.campaign_id = v.column2`, args...)
}

// SaveBoughtBy writes how often customers bought campaigns.
func SaveBoughtBy(tx *db.Tx, storeKey int64, bought map[Pair]int64) error {
	rows := make([][]any, 0, len(bought))
	for p, n := range bought {
		rows = append(rows, []any{storeKey, p.CustomerID, p.CampaignID, n})
	}
	return tx.Insert("campaign_customers", "store_id, customer_id, campaign_id, bought",
		"ON CONFLICT (store_id, customer_id, campaign_id) DO UPDATE SET bought = excluded.bought", rows...)
}

// Offer is a campaign in the availability list of a customer.
type Offer struct {
	CampaignID string
	Mine       int64 // how often the customer bought it
}

func (o *Offer) row() []any { return []any{&o.CampaignID, &o.Mine} }

// Offers lists the campaigns that a customer may see and that have something left for him
// (reference-behaviour 7.2). targets are his level and segments.
func Offers(tx *db.Tx, storeKey int64, customerID string, targets []string, order string, limit, offset int) (
	found []Offer, total int64, err error) {
	if len(targets) == 0 {
		return nil, 0, nil
	}
	list, args := db.In([]any{storeKey, customerID, tx.Now.UnixMicro()}, targets...)
	from := ` FROM campaigns c
		JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id
		LEFT JOIN campaign_customers m
			ON m.store_id = c.store_id AND m.customer_id = $2 AND m.campaign_id = c.campaign_id
		WHERE c.store_id = $1 AND c.active AND c.reward <> 'percentage_discount_code'
		AND (c.all_time_visible OR (c.visible_from <= $3 AND c.visible_to >= $3))
		AND (c.single_coupon OR k.next_position <= k.last_position)
		AND (c.unlimited OR (k.sold < c.usage_limit AND COALESCE(m.bought, 0) < c.limit_per_user))
		AND EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id
			AND t.target_id IN ` + list + ` AND t.campaign_id = c.campaign_id)`
	if total, err = db.Value[int64](tx, `SELECT COUNT(*)`+from, args...); err != nil || total == 0 {
		return nil, total, err
	}
	page := ` ORDER BY ` + order + ` LIMIT $` + strconv.Itoa(len(args)+1) + ` OFFSET $` + strconv.Itoa(len(args)+2)
	found, err = db.All(tx, (*Offer).row, `SELECT c.campaign_id, COALESCE(m.bought, 0)`+from+page,
		append(args, limit, offset)...)
	return found, total, err
}

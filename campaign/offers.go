package campaign

import (
	"punchcard/platform/db"
)

// offer is a campaign that a customer may see, with what its limit per customer says.
type offer struct {
	id           string
	unlimited    bool
	limitPerUser int64
}

func (o *offer) row() []any { return []any{&o.id, &o.unlimited, &o.limitPerUser} }

// Offers lists, in the order, the campaigns that a customer may see and that have something left for him
// (reference-behaviour 7.2): targets are his level and segments, bought is how often he bought which.
func Offers(tx *db.Tx, storeKey int64, targets []string, bought map[string]int64, order string) ([]string, error) {
	if len(targets) == 0 {
		return nil, nil
	}
	list, args := db.In([]any{storeKey, tx.Now.UnixMicro()}, targets...)
	var left []string
	err := db.Each(tx, (*offer).row, func(o offer) {
		if o.unlimited || bought[o.id] < o.limitPerUser {
			left = append(left, o.id)
		}
	}, `SELECT c.campaign_id, c.unlimited, c.limit_per_user FROM campaigns c
		JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id
		WHERE c.store_id = $1 AND c.active = TRUE AND c.reward <> 'percentage_discount_code'
		AND (c.all_time_visible OR (c.visible_from <= $2 AND c.visible_to >= $2))
		AND (c.single_coupon OR k.next_position <= k.last_position)
		AND (c.unlimited OR k.sold < c.usage_limit)
		AND EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id
			AND t.target_id IN `+list+` AND t.campaign_id = c.campaign_id)
		ORDER BY `+order, args...)
	return left, err
}

package campaign

import (
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// MinimumBaskets returns the minimum baskets of campaigns with distinct ids that have one.
func MinimumBaskets(tx *db.Tx, storeKey int64, ids ...string) (map[string]decimal.Money, error) {
	type row struct {
		id         string
		definition struct {
			MinimumBasket *decimal.Money `json:"minimumBasket"`
		}
	}
	minima := map[string]decimal.Money{}
	return minima, db.Each(tx, func(r *row) []any { return []any{&r.id, db.JSON(&r.definition)} }, func(r row) {
		if least := r.definition.MinimumBasket; least != nil {
			minima[r.id] = *least
		}
	}, `SELECT c.campaign_id, c.definition FROM ? AS v (store, id) CROSS JOIN campaigns c
		WHERE c.store_id = v.store AND c.campaign_id = v.id`, tx.Among(storeKey, ids...))
}

package customer

import (
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// Plus adds sums; negative ones subtract a return. LastAt never moves back.
func (p Purchases) Plus(more Purchases) Purchases {
	p.Count += more.Count
	p.Amount += more.Amount
	p.AmountWithoutDelivery += more.AmountWithoutDelivery
	p.ExcludedForLevel += more.ExcludedForLevel
	p.ExcludedDelivery += more.ExcludedDelivery
	p.PointsTakenBack += more.PointsTakenBack
	if more.LastAt.After(p.LastAt) {
		p.LastAt = more.LastAt
	}
	return p
}

// SavePurchases writes the sums of locked customers. Their levels must be checked afterwards.
func SavePurchases(tx *db.Tx, customers ...*Customer) error {
	for _, c := range customers {
		c.UpdatedAt, c.Version = tx.Now(), c.Version+1
		points.MoveInLists(tx, c.StoreKey, c.ID)
	}
	return table.Update(tx, "transactions_count, transactions_amount, transactions_amount_without_delivery, "+
		"amount_excluded_for_level, amount_excluded_delivery, points_taken_back, last_transaction_at, updated_at, version",
		customers...)
}

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
	rows := make([][]any, len(customers))
	for i, c := range customers {
		c.UpdatedAt, c.Version = tx.Now(), c.Version+1
		points.MoveInLists(tx, c.StoreKey, c.ID)
		p := &c.Purchases
		rows[i] = []any{c.StoreKey, c.ID, p.Count, p.Amount, p.AmountWithoutDelivery, p.ExcludedForLevel,
			p.ExcludedDelivery, p.PointsTakenBack, db.Time(&p.LastAt), db.Time(&c.UpdatedAt), c.Version}
	}
	return tx.Update("customers", keyColumns, purchaseColumns, rows...)
}

var purchaseColumns = []db.Column{
	{Name: "transactions_count", Type: "BIGINT"}, {Name: "transactions_amount", Type: "BIGINT"},
	{Name: "transactions_amount_without_delivery", Type: "BIGINT"}, {Name: "amount_excluded_for_level", Type: "BIGINT"},
	{Name: "amount_excluded_delivery", Type: "BIGINT"}, {Name: "points_taken_back", Type: "BIGINT"},
	{Name: "last_transaction_at", Type: "BIGINT"}, {Name: "updated_at", Type: "BIGINT"},
	{Name: "version", Type: "BIGINT"},
}

package main

import (
	"context"
	"fmt"

	"punchcard/platform/db"
)

// books are sums over a shop that must be consistent.
type books struct {
	purchases int64
	codes     int64 // distinct codes, counted for each campaign
	sold      int64 // according to the counters of the campaigns
	points    int64 // of all customers, in hundredths
	paid      int64 // for the purchases, in hundredths
}

func (b *books) row() []any { return []any{&b.purchases, &b.codes, &b.sold, &b.points, &b.paid} }

func readBooks(ctx context.Context, d *db.DB, s *shop) (b books, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		b, _, err = db.One(tx, (*books).row, `SELECT
			(SELECT COUNT(*) FROM purchases WHERE store_id = $1),
			(SELECT COUNT(*) FROM (SELECT DISTINCT campaign_id, code FROM purchases WHERE store_id = $1) AS different),
			(SELECT CAST(SUM(sold) AS BIGINT) FROM campaign_counters WHERE store_id = $1),
			(SELECT CAST(SUM(points) AS BIGINT) FROM accounts WHERE store_id = $1),
			(SELECT CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM purchases WHERE store_id = $1)`, s.store.Key)
		return err
	})
	return b, err
}

// check compares the sums with those before, given the number of acknowledged purchases in between.
func (b *books) check(before books, answered int64) error {
	switch {
	case b.purchases-before.purchases != answered:
		return fmt.Errorf("%d purchases are stored, but %d were acknowledged", b.purchases-before.purchases, answered)
	case b.codes != b.purchases:
		return fmt.Errorf("%d purchases share %d codes", b.purchases, b.codes)
	case b.sold != b.purchases:
		return fmt.Errorf("the campaigns count %d purchases of %d", b.sold, b.purchases)
	case before.points-b.points != b.paid-before.paid:
		return fmt.Errorf("customers lost %d hundredths of points, but paid %d", before.points-b.points,
			b.paid-before.paid)
	}
	return nil
}

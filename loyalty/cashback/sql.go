package cashback

import (
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var table = db.NewTable("cashbacks", "store_id, customer_id, coupon_id", func(c *Cashback) db.Row {
	return db.Row{
		"store_id", &c.StoreKey, "customer_id", &c.CustomerID, "coupon_id", &c.CouponID, "points", &c.Points,
		"point_value", &c.PointValue, "reward_amount", &c.RewardAmount, "provider", &c.Provider, "state", &c.State,
		"code", &c.Code, "message", &c.Message, "created_at", db.Time(&c.CreatedAt), "updated_at", db.Time(&c.UpdatedAt),
	}
})

func insertCashback(tx *db.Tx, c *Cashback) error {
	return table.Insert(tx, c)
}

// lockCashback reads a cashback and locks its row.
func lockCashback(tx *db.Tx, storeKey int64, customerID, couponID string) (*Cashback, error) {
	c, found, err := table.One(tx, `SELECT * FROM cashbacks
		WHERE store_id = ? AND customer_id = ? AND coupon_id = ? FOR UPDATE`, storeKey, customerID, couponID)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &c, err
}

func updateCashback(tx *db.Tx, c *Cashback) error {
	_, err := tx.Exec(`UPDATE cashbacks SET provider = ?, state = ?, code = ?, message = ?, updated_at = ?
		WHERE store_id = ? AND customer_id = ? AND coupon_id = ?`,
		c.Provider, c.State, c.Code, c.Message, tx.Now().UnixMicro(), c.StoreKey, c.CustomerID, c.CouponID)
	return err
}

// redeemedSince returns the sum of the points that a customer has exchanged since a time, without
// refunded ones.
func redeemedSince(tx *db.Tx, storeKey int64, customerID string, from time.Time) (points.Amount, error) {
	return db.Value[points.Amount](tx, `SELECT CAST(COALESCE(SUM(points), 0) AS BIGINT) FROM cashbacks
		WHERE store_id = ? AND customer_id = ? AND created_at >= ? AND state <> 2`,
		storeKey, customerID, from.UnixMicro())
}

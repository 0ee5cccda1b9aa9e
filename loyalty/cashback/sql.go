package cashback

import (
	"time"

	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

const columns = "store_id, customer_id, coupon_id, points, point_value, reward_amount, provider, state, code, " +
	"message, created_at, updated_at"

func (c *Cashback) row() []any {
	return []any{
		&c.StoreKey, &c.CustomerID, &c.CouponID, &c.Points, &c.PointValue, &c.RewardAmount, &c.Provider, &c.State,
		&c.Code, &c.Message, db.Time(&c.CreatedAt), db.Time(&c.UpdatedAt),
	}
}

func insertCashback(tx *db.Tx, c *Cashback) error {
	return tx.Insert("cashbacks", columns, "", c.row())
}

// lockCashback reads a cashback and locks its row.
func lockCashback(tx *db.Tx, storeKey int64, customerID, couponID string) (*Cashback, error) {
	c, found, err := db.One(tx, (*Cashback).row, `SELECT `+columns+` FROM cashbacks
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

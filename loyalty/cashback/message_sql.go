package cashback

import (
	"time"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/fault"
)

// enqueue adds the message of a cashback. It is due by the server's clock, also in a sandbox store,
// because providers have no sandbox clock.
func enqueue(tx *db.Tx, c *Cashback) error {
	return messageTable.Insert(tx, &Message{
		StoreKey: c.StoreKey, ID: tx.NewID(), CustomerID: c.CustomerID, CouponID: c.CouponID, Amount: c.RewardAmount,
		Progress: delivery.Progress{State: Waiting, CreatedAt: tx.ServerNow(), DueAt: tx.ServerNow()},
	})
}

// stopSending stops sending the message of a cashback that the provider has reported on.
func stopSending(tx *db.Tx, c *Cashback) error {
	state := Settled
	if c.State == UnderWay {
		state = Sent
	}
	_, err := tx.Exec(`UPDATE cashback_messages SET state = ?, due_at = NULL, finished_at = ?
		WHERE store_id = ? AND coupon_id = ? AND state IN ('`+Waiting+`', '`+Unsent+`')`,
		state, tx.ServerNow().UnixMicro(), c.StoreKey, c.CouponID)
	return err
}

// Unfinished counts the waiting and the failed messages of all stores, up to delivery.CountLimit
// each.
func Unfinished(tx *db.Tx) (waiting, failed int64, err error) {
	if waiting, err = messageTable.CountPending(tx); err != nil {
		return 0, 0, err
	}
	failed, err = db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM cashback_messages
		WHERE state = '`+Unsent+`' LIMIT ?) AS listed`, delivery.CountLimit)
	return waiting, failed, err
}

// Resend makes a failed message due again, with the full number of attempts.
func Resend(tx *db.Tx, storeKey int64, id string) (*Message, error) {
	m, found, err := messageTable.One(tx, `SELECT * FROM cashback_messages
		WHERE store_id = ? AND message_id = ? FOR UPDATE`, storeKey, id)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fault.ErrNotFound
	case m.State != Unsent:
		return nil, ErrNotFailed
	}
	m.State, m.Attempts, m.DueAt, m.FinishedAt = Waiting, 0, tx.ServerNow(), time.Time{}
	return &m, messageTable.Update(tx, "state, attempts, due_at, finished_at", &m)
}

// SelectFailed returns a query that sets n to the number of failed messages of a store, at most limit.
func SelectFailed(storeKey int64, limit int, n *int) db.Query {
	return db.Select(func(n *int) []any { return []any{n} }, func(found int) { *n = found }, `SELECT COUNT(*) FROM
		(SELECT 1 FROM cashback_messages WHERE store_id = ? AND state = '`+Unsent+`' LIMIT ?) AS listed`, storeKey, limit)
}

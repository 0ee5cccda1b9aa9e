package cashback

import (
	"fmt"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/outbound"
)

// CountLimit is the highest total that the list of messages returns. There may be more messages.
const CountLimit = 10_000

const messageColumns = "store_id, message_id, customer_id, coupon_id, amount, state, attempts, created_at, due_at, " +
	"attempted_at, status, error"

func (m *Message) row() []any {
	return []any{
		&m.StoreKey, &m.ID, &m.CustomerID, &m.CouponID, &m.Amount, &m.State, &m.Attempts, db.Time(&m.CreatedAt),
		db.Time(&m.DueAt), db.Time(&m.AttemptedAt), &m.Status, &m.Error,
	}
}

// enqueue adds the message of a cashback. It is due by the server's clock, also in a sandbox store,
// because providers have no sandbox clock.
func enqueue(tx *db.Tx, c *Cashback) error {
	m := Message{
		StoreKey: c.StoreKey, ID: tx.NewID(), CustomerID: c.CustomerID, CouponID: c.CouponID, Amount: c.RewardAmount,
		AttemptState: outbound.AttemptState{State: Waiting, CreatedAt: tx.ServerNow(), DueAt: tx.ServerNow()},
	}
	return tx.Insert("cashback_messages", messageColumns, "", m.row())
}

// queue is a store with waiting messages, and when the first of them is due.
type queue struct {
	storeKey int64
	dueAt    time.Time
}

// nextQueue returns the first queue of a store whose key is greater than after.
func nextQueue(tx *db.Tx, after int64) (queue, bool, error) {
	return db.One(tx, func(q *queue) []any { return []any{&q.storeKey, db.Time(&q.dueAt)} },
		`SELECT store_id, due_at FROM cashback_messages WHERE due_at IS NOT NULL AND store_id > $1
		ORDER BY store_id, due_at LIMIT 1`, after)
}

// take starts an attempt for some messages of a store that are due, and postpones them until the
// given time, so that other nodes leave them alone until then.
func take(tx *db.Tx, storeKey int64, until time.Time, limit int) ([]Message, error) {
	return db.All(tx, (*Message).row, `UPDATE cashback_messages
		SET attempts = attempts + 1, attempted_at = $2, due_at = $3
		WHERE store_id = $1 AND due_at <= $2 AND message_id IN (SELECT message_id FROM cashback_messages
			WHERE store_id = $1 AND due_at <= $2 ORDER BY due_at LIMIT $4)
		RETURNING `+messageColumns, storeKey, tx.ServerNow().UnixMicro(), until.UnixMicro(), limit)
}

// finish stores the outcome of the message's last attempt, unless a callback or another attempt came
// first.
func finish(tx *db.Tx, m *Message) error {
	_, err := tx.Exec(`UPDATE cashback_messages SET state = $4, due_at = $5, status = $6, error = $7
		WHERE store_id = $1 AND message_id = $2 AND attempts = $3 AND state = '`+Waiting+`'`,
		m.StoreKey, m.ID, m.Attempts, m.State, db.Time(&m.DueAt), m.Status, m.Error)
	return err
}

// answered stops sending the message of a cashback that the provider has reported on.
func answered(tx *db.Tx, c *Cashback) error {
	state := Settled
	if c.State == UnderWay {
		state = Sent
	}
	_, err := tx.Exec(`UPDATE cashback_messages SET state = $3, due_at = NULL WHERE store_id = $1 AND coupon_id = $2
		AND state IN ('`+Waiting+`', '`+Unsent+`')`, c.StoreKey, c.CouponID, state)
	return err
}

// Unfinished counts the waiting and the failed messages of all stores, up to CountLimit each.
func Unfinished(tx *db.Tx) (waiting, failed int64, err error) {
	for condition, n := range map[string]*int64{"due_at IS NOT NULL": &waiting, "state = '" + Unsent + "'": &failed} {
		*n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM cashback_messages WHERE `+condition+`
			LIMIT $1) AS listed`, CountLimit)
		if err != nil {
			return 0, 0, err
		}
	}
	return waiting, failed, nil
}

// Resend makes a failed message due again, with the full number of attempts.
func Resend(tx *db.Tx, storeKey int64, id string) (*Message, error) {
	m, found, err := db.One(tx, (*Message).row, `SELECT `+messageColumns+` FROM cashback_messages
		WHERE store_id = $1 AND message_id = $2 FOR UPDATE`, storeKey, id)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fault.ErrNotFound
	case m.State != Unsent:
		return nil, ErrNotFailed
	}
	m.State, m.Attempts, m.DueAt = Waiting, 0, tx.ServerNow()
	_, err = tx.Exec(`UPDATE cashback_messages SET state = $3, attempts = $4, due_at = $5
		WHERE store_id = $1 AND message_id = $2`, m.StoreKey, m.ID, m.State, m.Attempts, db.Time(&m.DueAt))
	return &m, err
}

// messages returns a page of a store's messages, the newest first. An empty state means all. total
// stops counting at CountLimit.
func messages(tx *db.Tx, storeKey int64, state string, limit, offset int) (found []Message, total int, err error) {
	from, args := ` FROM cashback_messages WHERE store_id = $1`, []any{storeKey, CountLimit}
	if state != "" {
		from, args = from+` AND state = $3`, append(args, state)
	}
	total, err = db.Value[int](tx, `SELECT COUNT(*) FROM (SELECT 1`+from+` LIMIT $2) AS listed`, args...)
	if err != nil {
		return nil, 0, err
	}
	args[1] = limit
	found, err = db.All(tx, (*Message).row, `SELECT `+messageColumns+from+fmt.Sprintf(
		` ORDER BY message_id DESC LIMIT $2 OFFSET $%d`, len(args)+1), append(args, offset)...)
	return found, total, err
}

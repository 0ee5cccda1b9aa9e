package message

import (
	"time"

	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
)

// Of returns at most limit deliveries to a customer, seller or administrator before the one with the
// id, or the newest ones.
func Of(tx *db.Tx, storeKey int64, recipientID, before string, limit int) ([]Delivery, error) {
	q := db.NewSQL(`SELECT * FROM messages WHERE store_id = ? AND recipient_id = ?`,
		storeKey, recipientID)
	if before != "" {
		q.And(`message_id < ?`, before)
	}
	q.Add(` ORDER BY message_id DESC LIMIT ?`, limit)
	return table.All(tx, "?", q)
}

// filter selects deliveries of a list. Empty members select all.
type filter struct{ Channel, Event, State, RecipientID string }

// listDeliveries returns a page of the deliveries of a store, the newest first. total stops counting at
// delivery.CountLimit.
func listDeliveries(tx *db.Tx, storeKey int64, f filter, limit, offset int) (found []Delivery, total int, err error) {
	from := db.NewSQL(`FROM messages WHERE store_id = ? AND queue <> ?`, storeKey, notifications)
	if f.Channel != "" {
		queues := queuesOf(f.Channel)
		if f.Channel == template.Email {
			queues = append(queues, administrators)
		}
		from.And(`queue IN ?`, db.List(queues))
	}
	for column, value := range map[string]string{"event": f.Event, "state": f.State, "recipient_id": f.RecipientID} {
		if value != "" {
			from.And(column+` = ?`, value)
		}
	}
	page := from.Select("*").Add(` ORDER BY message_id DESC LIMIT ? OFFSET ?`, limit, offset)
	if found, err = table.All(tx, "?", page); err != nil {
		return nil, 0, err
	}
	counted := db.NewSQL(`SELECT COUNT(*) FROM (? LIMIT ?) AS listed`, from.Select("1"), delivery.CountLimit)
	total, err = db.Value[int](tx, counted.Text(), counted.Args()...)
	return found, total, err
}

// findDelivery finds a delivery. ending is appended to the statement.
func findDelivery(tx *db.Tx, storeKey int64, id, ending string) (Delivery, bool, error) {
	return table.One(tx, `SELECT * FROM messages
		WHERE store_id = ? AND message_id = ? AND queue <> ?`+ending, storeKey, id, notifications)
}

// queuesDue returns the queues of a store that have deliveries due.
func queuesDue(tx *db.Tx, storeKey int64) ([]string, error) {
	return db.AllValues[string](tx, `SELECT v.key FROM ? AS v (store, key)
		WHERE EXISTS (SELECT 1 FROM messages m WHERE m.store_id = v.store AND m.queue = v.key AND m.due_at <= ?)`,
		tx.Among(storeKey, allQueues...), tx.ServerNow().UnixMicro())
}

// saveOutcome stores what an attempt wrote. The values are not needed any more when the message is sent. Those
// of one that failed are, to send it again, but calls of the gateway for notifications are not sent again.
func saveOutcome(tx *db.Tx, d *Delivery, state string) error {
	saved := *d
	if saved.State = state; state == Sent || state == Dropped || state == Dead && d.toNotifications() {
		saved.Values = nil
	}
	return table.Update(tx, "state, subject, content, details", &saved)
}

// restart makes a delivery due again, with the full number of attempts and its whole lifetime.
func restart(tx *db.Tx, d *Delivery) error {
	now := tx.ServerNow()
	d.Progress = delivery.Progress{State: Waiting, CreatedAt: now, DueAt: now}
	return table.Update(tx, "state, attempts, created_at, due_at, attempted_at, status, error, finished_at", d)
}

// giveUp ends at most limit deliveries of all stores that are due since a time, and returns how many.
func giveUp(tx *db.Tx, since time.Time, limit int) (int64, error) {
	return tx.Exec(`UPDATE messages SET state = 'dead', due_at = NULL, finished_at = ?, error = ?,
			details = CASE WHEN queue = 'notifications' THEN 'null' ELSE details END
		WHERE due_at < ? AND (store_id, queue, message_id) IN (SELECT store_id, queue, message_id FROM messages
			WHERE due_at < ? LIMIT ?)`,
		tx.ServerNow().UnixMicro(), "its channel did not work", since.UnixMicro(), since.UnixMicro(), limit)
}

// countWaiting counts the deliveries of some queues of a store that wait, up to delivery.CountLimit.
func countWaiting(tx *db.Tx, storeKey int64, queues ...string) (n int, err error) {
	q := db.NewSQL(`SELECT 1 FROM messages WHERE store_id = ? AND due_at IS NOT NULL`, storeKey)
	q.And(`queue IN ?`, db.List(queues)).Add(` LIMIT ?`, delivery.CountLimit)
	counted := db.NewSQL(`SELECT COUNT(*) FROM (?) AS listed`, q)
	return db.Value[int](tx, counted.Text(), counted.Args()...)
}

// sentInHour returns how many messages were sent to an address in the present hour; to all of a store if the
// address is empty.
func sentInHour(tx *db.Tx, storeKey int64, address string) (int, error) {
	return db.Value[int](tx, `SELECT sent FROM message_hours WHERE store_id = ? AND address = ? AND hour = ?`,
		storeKey, address, hourOf(tx.ServerNow()))
}

// dayOf begins the addresses of rows that count a day, whose hour is its last one.
const dayOf = "day "

// countInHour counts a message. counted is false if there were most in the hour.
func countInHour(tx *db.Tx, storeKey int64, address string, hour int64, most int) (counted bool, err error) {
	n, err := tx.Exec(`INSERT INTO message_hours (store_id, address, hour, sent) VALUES (?, ?, ?, 1)
		ON CONFLICT (store_id, address) DO UPDATE SET hour = excluded.hour,
			sent = CASE WHEN message_hours.hour = excluded.hour THEN message_hours.sent + 1 ELSE 1 END
		WHERE message_hours.hour <> excluded.hour OR message_hours.sent < ?`, storeKey, address, hour, most)
	return n > 0, err
}

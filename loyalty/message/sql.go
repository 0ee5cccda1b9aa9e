package message

import "punchcard/platform/db"

// Of returns at most limit deliveries to a customer, seller or administrator before the one with the
// id, or the newest ones.
func Of(tx *db.Tx, storeKey int64, recipientID, before string, limit int) ([]Delivery, error) {
	q := db.NewSQL(`SELECT `+table.AllColumns()+` FROM messages WHERE store_id = ? AND recipient_id = ?`,
		storeKey, recipientID)
	if before != "" {
		q.And(`message_id < ?`, before)
	}
	q.Add(` ORDER BY message_id DESC LIMIT ?`, limit)
	return db.All(tx, table.Row, q.Text(), q.Args()...)
}

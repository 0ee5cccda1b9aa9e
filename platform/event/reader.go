package event

import "punchcard/platform/db"

// Cursor returns the last event that a reader has handled, 0 at first.
func Cursor(tx *db.Tx, reader string) (int64, error) {
	return db.Value[int64](tx, `SELECT last_id FROM event_cursors WHERE name = ?`, reader)
}

// MoveCursor moves a reader on, in the transaction of what it made of the events. moved is false if another node was
// faster.
func MoveCursor(tx *db.Tx, reader string, from, to int64) (moved bool, err error) {
	n, err := tx.Exec(`INSERT INTO event_cursors (name, last_id) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id WHERE event_cursors.last_id = ?`, reader, to, from)
	return n > 0, err
}

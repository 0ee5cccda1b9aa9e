package event

import (
	"context"

	"punchcard/platform/db"
)

// numberLimit is how many events one transaction numbers. It bounds the time that the lock is held
// to some tens of milliseconds.
const numberLimit = 5000

// Number assigns ids to all committed events, in the order of their queue, and returns how many
// there were. When commits overlap, a number assigned in the writing transaction could become
// visible after a higher one. Here no number is visible before all lower ones, and writers never
// wait.
func Number(ctx context.Context, d *db.DB) (int, error) {
	waiting, err := anyWaiting(ctx, d)
	if err != nil || !waiting {
		return 0, err
	}
	return numberWaiting(ctx, d)
}

func numberWaiting(ctx context.Context, d *db.DB) (moved int, err error) {
	for n := numberLimit; err == nil && n == numberLimit; moved += n { // fewer means that none are left
		n, err = numberSome(ctx, d)
	}
	return moved, err
}

// anyWaiting checks without a lock. Events that another node is numbering count as waiting, so that
// a caller's own events are numbered when Number returns.
func anyWaiting(ctx context.Context, d *db.DB) (waiting bool, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		if !tx.NumbersEvents() {
			_, waiting, err = firstWaiting(tx)
		}
		return err
	})
	return waiting, err
}

// firstWaiting returns when the first event of the queue was recorded, in microseconds since 1970.
// The order makes it a lookup at one end of the index, however many rows were deleted.
func firstWaiting(tx *db.Tx) (recordedAt int64, found bool, err error) {
	return db.One(tx, func(v *int64) []any { return []any{v} },
		`SELECT recorded_at FROM event_queue ORDER BY queue_id LIMIT 1`)
}

func numberSome(ctx context.Context, d *db.DB) (int, error) {
	moved := int64(0)
	err := d.Write(ctx, func(tx *db.Tx) error {
		// The lock is a statement of its own: the next statement must see what its last holder
		// committed.
		_, err := tx.Exec(`SELECT last_id FROM event_cursors WHERE name = 'numbering' FOR UPDATE`)
		if err != nil {
			return err
		}
		moved, err = tx.Exec(moveFirst, numberLimit)
		return err
	})
	return int(moved), err
}

// moveFirst numbers the first events of the queue. It compares with a range of the key, because
// PostgreSQL keeps plans that it made for an empty queue. For an IN it would read the subquery again
// for each row.
const moveFirst = `
	WITH taken AS (
		DELETE FROM event_queue
		WHERE queue_id <= (
			SELECT MAX(queue_id) FROM (SELECT queue_id FROM event_queue ORDER BY queue_id LIMIT $1) AS first
		)
		RETURNING queue_id, store_id, aggregate_id, type, recorded_at, payload, traced
	)
	INSERT INTO events (id, store_id, aggregate_id, type, recorded_at, payload, traced)
	SELECT (SELECT COALESCE(MAX(id), 0) FROM events) + row_number() OVER (ORDER BY queue_id),
		store_id, aggregate_id, type, recorded_at, payload, traced
	FROM taken`

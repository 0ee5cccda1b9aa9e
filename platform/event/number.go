package event

import (
	"context"

	"punchcard/platform/db"
)

// numberLimit is how many events one transaction numbers: it holds the lock of the numbering for some
// tens of milliseconds at most.
const numberLimit = 5000

// Number gives ids to all events that are committed, in the order of their queue, and returns how many
// they were. Where commits overlap, a number taken inside the writing transaction could become visible
// after a higher one; here nobody sees a number before all lower ones, and writers never wait for it.
func Number(ctx context.Context, d *db.DB) (int, error) {
	waiting, err := anyWaiting(ctx, d)
	if err != nil || !waiting {
		return 0, err
	}
	return numberWaiting(ctx, d)
}

func numberWaiting(ctx context.Context, d *db.DB) (moved int, err error) {
	for n := numberLimit; err == nil && n == numberLimit; moved += n { // fewer were all that were committed
		n, err = numberSome(ctx, d)
	}
	return moved, err
}

// anyWaiting looks without a lock. What another node is numbering right now still counts as waiting,
// so that a caller finds its own events numbered when Number returns.
func anyWaiting(ctx context.Context, d *db.DB) (waiting bool, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		if !tx.NumbersEvents() {
			_, waiting, err = firstWaiting(tx)
		}
		return err
	})
	return waiting, err
}

// firstWaiting is when the first event of the queue was recorded, in microseconds since 1970. The order
// makes it a look at one end of the index, however many events were deleted from the queue.
func firstWaiting(tx *db.Tx) (recordedAt int64, found bool, err error) {
	return db.One(tx, func(v *int64) []any { return []any{v} },
		`SELECT recorded_at FROM event_queue ORDER BY queue_id LIMIT 1`)
}

func numberSome(ctx context.Context, d *db.DB) (int, error) {
	moved := int64(0)
	err := d.Write(ctx, func(tx *db.Tx) error {
		// The lock comes in a statement of its own: the next one must see what its last holder committed.
		_, err := tx.Exec(`SELECT last_id FROM event_cursors WHERE name = 'numbering' FOR UPDATE`)
		if err != nil {
			return err
		}
		moved, err = tx.Exec(`
			WITH taken AS (
				DELETE FROM event_queue
				WHERE queue_id IN (SELECT queue_id FROM event_queue ORDER BY queue_id LIMIT $1)
				RETURNING queue_id, store_id, aggregate_id, type, recorded_at, payload, traced
			)
			INSERT INTO events (id, store_id, aggregate_id, type, recorded_at, payload, traced)
			SELECT (SELECT COALESCE(MAX(id), 0) FROM events) + row_number() OVER (ORDER BY queue_id),
				store_id, aggregate_id, type, recorded_at, payload, traced
			FROM taken`, numberLimit)
		return err
	})
	return int(moved), err
}

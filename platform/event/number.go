package event

import (
	"context"
	"time"

	"punchcard/platform/db"
)

const (
	// numberLimit is about how many events one transaction numbers: a row of the queue is not divided.
	// It bounds the time that the lock is held to some tens of milliseconds.
	numberLimit = 5000

	// numberEvery bounds how many events wait for a number when somebody reads. Numbering them in
	// larger steps costs less than one by one.
	numberEvery = time.Second
)

// KeepNumbered numbers events once a second until ctx ends. Readers do not rely on it, because Number
// does the rest.
func KeepNumbered(ctx context.Context, d *db.DB) {
	ticker := time.NewTicker(numberEvery)
	defer ticker.Stop()
	numberAt(ctx, d, ticker.C)
}

func numberAt(ctx context.Context, d *db.DB, ticks <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		if _, err := Number(ctx, d); err != nil && ctx.Err() == nil {
			d.Log().Warn("cannot number events", "error", err)
		}
	}
}

// Number assigns ids to all committed events, in the order of their queue, and returns how many
// there were. When commits overlap, a number assigned in the writing transaction could become
// visible after a higher one. Here no number is visible before all lower ones, and writers never
// wait.
func Number(ctx context.Context, d *db.DB) (int, error) {
	waiting, err := Waiting(ctx, d)
	if err != nil || !waiting {
		return 0, err
	}
	return numberWaiting(ctx, d)
}

func numberWaiting(ctx context.Context, d *db.DB) (moved int, err error) {
	for n := numberLimit; err == nil && n >= numberLimit; moved += n { // fewer means that none are left
		n, err = numberSome(ctx, d)
	}
	return moved, err
}

// Waiting reports without a lock whether events wait for their numbers. Events that another node is
// numbering count as waiting, so that a caller's own events are numbered when Number returns.
func Waiting(ctx context.Context, d *db.DB) (waiting bool, err error) {
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
	recordedAt, err = db.Value[int64](tx, `SELECT recorded_at FROM event_queue ORDER BY queue_id LIMIT 1`)
	return recordedAt, recordedAt > 0, err
}

func numberSome(ctx context.Context, d *db.DB) (int, error) {
	moved := int64(0)
	err := d.Write(ctx, func(tx *db.Tx) (err error) {
		moved, err = lockAndMove(tx)
		return err
	})
	return int(moved), err
}

func lockAndMove(tx *db.Tx) (moved int64, err error) {
	// The lock is a statement of its own: the next statement must see what its last holder committed.
	if _, err := tx.Exec(`SELECT last_id FROM event_cursors WHERE name = 'numbering' FOR UPDATE`); err != nil {
		return 0, err
	}
	return tx.Exec(moveFirst, numberLimit, numberLimit)
}

// moveFirst numbers the events of the first rows of the queue. It compares with a range of the key,
// because PostgreSQL keeps plans that it made for an empty queue. For an IN it would read the subquery
// again for each row.
const moveFirst = `
	WITH taken AS (
		DELETE FROM event_queue WHERE queue_id <= (
			SELECT MAX(queue_id) FROM (
				SELECT queue_id, SUM(size) OVER (ORDER BY queue_id) - size AS events_before
				FROM (SELECT queue_id, size FROM event_queue ORDER BY queue_id LIMIT ?) AS first
			) AS counted WHERE events_before < ?
		)
		RETURNING queue_id, store_id, recorded_at, size, aggregate_ids, types, payloads, traced
	), placed AS (
		SELECT (SELECT COALESCE(MAX(id), 0) FROM events) - size +
			CAST(SUM(size) OVER (ORDER BY queue_id) AS BIGINT) AS last_id, *
		FROM taken
	)
	INSERT INTO events (id, store_id, recorded_at, aggregate_id, type, payload, traced)
	SELECT last_id + generate_subscripts(types, 1), store_id, recorded_at,
		unnest(aggregate_ids), unnest(types), unnest(payloads), unnest(traced)
	FROM placed`

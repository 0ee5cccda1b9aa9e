package event

import (
	"context"
	"fmt"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ChunkBytes limits the payloads that After returns. A single event may exceed it.
const ChunkBytes = 4 << 20

// After returns the numbered events after the id in order: at most limit, or fewer when they are
// long. more reports whether there are further events. Call Number first to include all committed
// events.
func After(ctx context.Context, d *db.DB, after int64, limit int) (events []Event, more bool, err error) {
	size := 0
	err = d.Read(ctx, func(tx *db.Tx) error {
		return eventView.Each(tx, func(e Event) {
			if more = len(events) == limit || size >= ChunkBytes; !more {
				events = append(events, e)
				size += len(e.Payload)
			}
		}, `SELECT * FROM events WHERE id > ? ORDER BY id LIMIT ?`, after, limit+1)
	})
	return events, more, err
}

const ofStore = `SELECT * FROM events WHERE store_id = ? AND id > ? ORDER BY id LIMIT ?`

// OfStore is After for the events of one store. It reads what it returns, however many events other stores have.
func OfStore(ctx context.Context, d *db.DB, storeKey, after int64, limit int) (events []Event, more bool, err error) {
	size := 0
	err = d.Read(ctx, func(tx *db.Tx) error {
		return eventView.Each(tx, func(e Event) {
			if more = len(events) == limit || size >= ChunkBytes; !more {
				events = append(events, e)
				size += len(e.Payload)
			}
		}, ofStore, storeKey, after, limit+1)
	})
	return events, more, err
}

// Backlog returns how many events wait for something, and the age of the oldest.
type Backlog func(ctx context.Context, d *db.DB) (events int64, age time.Duration, err error)

// QueueCounted is the maximum number of rows of the queue, with one or more events each, whose events
// a Backlog counts.
const QueueCounted = 10_000

// waitingEvents and oldestWaiting select from the events that have no number yet.
const (
	waitingEvents = `CAST((SELECT COALESCE(SUM(size), 0) FROM (SELECT size FROM event_queue LIMIT ?) AS q) AS BIGINT)`
	oldestWaiting = `(SELECT recorded_at FROM event_queue ORDER BY queue_id LIMIT 1)`
)

// Lag is the backlog of the message queue. It is one statement, because an event that is numbered between two
// statements could be missed by both.
var Lag = backlog(`
	SELECT at.newest - at.relayed + ` + waitingEvents + `,
		COALESCE((SELECT recorded_at FROM events WHERE id = at.relayed + 1), ` + oldestWaiting + `, 0)
	FROM (SELECT (SELECT last_id FROM event_cursors WHERE name = 'relay') AS relayed,
		(SELECT COALESCE(MAX(id), 0) FROM events) AS newest) AS at
	WHERE at.relayed IS NOT NULL`)

// Unnumbered is the backlog of events without a number, which is all that waits where there is no message queue. On
// SQLite there are none.
var Unnumbered = backlog(`SELECT ` + waitingEvents + `, COALESCE(` + oldestWaiting + `, 0)`)

func backlog(query string) Backlog {
	return func(ctx context.Context, d *db.DB) (events int64, age time.Duration, err error) {
		err = d.Read(ctx, func(tx *db.Tx) error {
			type waiting struct {
				events int64
				oldest time.Time
			}
			now, _, err := db.One(tx, func(w *waiting) []any { return []any{&w.events, db.Time(&w.oldest)} },
				query, QueueCounted)
			if err == nil && now.events > 0 {
				events, age = now.events, max(0, tx.Now().Sub(now.oldest))
			}
			return err
		})
		return events, age, err
	}
}

// checkTimeout is how long Check reads. It is less than a component of the health check has.
const checkTimeout = time.Second

// Check fails when the oldest event is older than the limit. 0 means no limit. It does not fail when the database
// cannot be read.
func (b Backlog) Check(ctx context.Context, d *db.DB, limit time.Duration) error {
	if limit == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	_, age, err := b(ctx, d)
	switch {
	case fault.KindOf(err) == fault.Unavailable, ctx.Err() != nil:
		return nil
	case err == nil && age > limit:
		return fmt.Errorf("the oldest waiting event is %v old", age)
	}
	return err
}

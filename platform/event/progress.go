package event

import (
	"context"
	"time"

	"punchcard/platform/db"
)

// After returns the numbered events after the id in order: at most limit, or fewer when they are
// long. more reports whether there are further events. Call Number first to include all committed
// events.
func After(ctx context.Context, d *db.DB, after int64, limit int) (events []Event, more bool, err error) {
	size := 0
	err = d.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, (*Event).row, func(e Event) {
			if more = len(events) == limit || size >= ChunkBytes; !more {
				events = append(events, e)
				size += len(e.Payload)
			}
		}, `SELECT `+columns+` FROM events WHERE id > $1 ORDER BY id LIMIT $2`, after, limit+1)
	})
	return events, more, err
}

// place is the progress of numbering and relaying.
type place struct {
	newest, relayed int64 // relayed is noCursor while the relay is at rest
	waiting         bool  // some events have no number yet; false while numbered ones are to be relayed
}

func progress(ctx context.Context, d *db.DB) (now place, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		now.relayed, now.newest, err = cursorAndNewest(tx)
		return err
	})
	if err == nil && (now.relayed == now.newest || now.relayed == noCursor) {
		now.waiting, err = anyWaiting(ctx, d)
	}
	return now, err
}

func cursorAndNewest(tx *db.Tx) (cursor, newest int64, err error) {
	row, _, err := db.One(tx, func(p *place) []any { return []any{&p.relayed, &p.newest} },
		`SELECT COALESCE((SELECT last_id FROM event_cursors WHERE name = 'relay'), $1),
			(SELECT COALESCE(MAX(id), 0) FROM events)`, noCursor)
	return row.relayed, row.newest, err
}

// QueueCounted is the maximum number of rows of the queue, with one or more events each, whose events
// Lag counts.
const QueueCounted = 10_000

// Lag returns how many events wait for the message queue, and the age of the oldest. None wait while
// the relay is at rest. It is one statement, because an event that is numbered between two statements
// could be missed by both.
func Lag(ctx context.Context, d *db.DB) (events int64, age time.Duration, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		type lag struct {
			events int64
			oldest time.Time
		}
		now, _, err := db.One(tx, func(l *lag) []any { return []any{&l.events, db.Time(&l.oldest)} },
			`SELECT at.newest - at.relayed +
					CAST((SELECT COALESCE(SUM(size), 0) FROM (SELECT size FROM event_queue LIMIT $1) AS q) AS BIGINT),
				COALESCE((SELECT recorded_at FROM events WHERE id = at.relayed + 1),
					(SELECT recorded_at FROM event_queue ORDER BY queue_id LIMIT 1), 0)
			FROM (SELECT (SELECT last_id FROM event_cursors WHERE name = 'relay') AS relayed,
				(SELECT COALESCE(MAX(id), 0) FROM events) AS newest) AS at
			WHERE at.relayed IS NOT NULL`, QueueCounted)
		if err == nil && now.events > 0 {
			events, age = now.events, max(0, tx.Now().Sub(now.oldest))
		}
		return err
	})
	return events, age, err
}

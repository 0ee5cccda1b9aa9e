package queue

import (
	"bytes"
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"

	"punchcard/platform/db"
	"punchcard/platform/event"
)

// noCursor stands for the missing cursor of a database that had no queue.
const noCursor = -1

// place is the progress of numbering and relaying.
type place struct {
	newest, relayed int64 // relayed may be noCursor
	waiting         bool  // some events have no number yet; false while numbered ones are to be relayed
}

func progress(ctx context.Context, d *db.DB) (now place, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		now.relayed, now.newest, err = cursorAndNewest(tx)
		return err
	})
	if err == nil && (now.relayed == now.newest || now.relayed == noCursor) {
		now.waiting, err = event.Waiting(ctx, d)
	}
	return now, err
}

func cursorAndNewest(tx *db.Tx) (cursor, newest int64, err error) {
	row, _, err := db.One(tx, func(p *place) []any { return []any{&p.relayed, &p.newest} },
		`SELECT COALESCE((SELECT last_id FROM event_cursors WHERE name = 'relay'), ?),
			(SELECT COALESCE(MAX(id), 0) FROM events)`, noCursor)
	return row.relayed, row.newest, err
}

// align determines where to continue: after the last message of the stream if that is an event of
// this database. So a relay that stopped before storing its cursor repeats nothing, and messages
// that the stream lost in a power failure are sent again. If the stream ends with anything else, the
// cursor counts, because the stream may have dropped old messages. Without a cursor, it
// begins with the newest events.
func (r *Relay) align(ctx context.Context) error {
	sequence, id, last, err := r.queue.end(ctx)
	if r.note(err) != nil {
		return err
	}
	var known event.Event
	var found bool
	var newest int64
	err = r.db.Read(ctx, func(tx *db.Tx) error {
		if r.relayed, newest, err = cursorAndNewest(tx); err == nil && id > 0 {
			known, found, err = event.ByNumber(tx, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	position := r.relayed
	if position == noCursor {
		position = max(0, newest-RefillLimit)
	}
	if (found && same(last, &known)) || sequence == 0 { // id is 0 in a new stream
		position = max(id, min(position, newest-RefillLimit))
	}
	if position < r.relayed {
		r.db.Log().Warn("message queue lost events; relaying them again",
			"after", position, "to", r.relayed)
	}
	if position != r.relayed {
		if err := r.moveTo(ctx, position); err != nil {
			return err
		}
	}
	r.sequence, r.inStep, r.checked = sequence, true, true
	return nil
}

// same reports whether a message of the queue was made from the event. Ids are not enough: a
// restored database assigns them again.
func same(m *jetstream.RawStreamMsg, e *event.Event) bool {
	made := message(e, int64(len(e.Payload))+headerBytes)
	for _, name := range [...]string{headerType, headerAggregate, headerRecordedAt} {
		if m.Header.Get(name) != made.Header.Get(name) {
			return false
		}
	}
	return m.Subject == made.Subject && (m.Header.Get(headerOmitted) != "" || bytes.Equal(m.Data, made.Data))
}

var errOvertaken = errors.New("another node relays events too")

// moveTo stores the relay's cursor, unless another node has moved it meanwhile.
func (r *Relay) moveTo(ctx context.Context, id int64) error {
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		var moved int64
		var err error
		if r.relayed == noCursor {
			moved, err = tx.Exec(
				`INSERT INTO event_cursors (name, last_id) VALUES ('relay', ?) ON CONFLICT DO NOTHING`, id)
		} else {
			moved, err = tx.Exec(
				`UPDATE event_cursors SET last_id = ? WHERE name = 'relay' AND last_id = ?`, id, r.relayed)
		}
		if err == nil && moved == 0 {
			err = errOvertaken
		}
		return err
	})
	if err == nil {
		r.relayed = id
	}
	return err
}

// ForgetCursor removes the cursor from a database that has no queue any more, unless a node that has one holds the
// lease. A relay that runs later begins with the newest events.
func ForgetCursor(ctx context.Context, d *db.DB, lease Lease) error {
	now, err := progress(ctx, d)
	if err != nil || now.relayed == noCursor {
		return err
	}
	held, err := lease.Hold(ctx)
	if err != nil || !held {
		return err
	}
	err = d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`DELETE FROM event_cursors WHERE name = 'relay'`)
		return err
	})
	return errors.Join(err, lease.Release(ctx))
}

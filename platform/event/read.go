package event

import (
	"context"

	"punchcard/platform/db"
)

// stored is a row of events.
type stored struct {
	Event
	traced bool
}

var (
	table = db.NewTable("events", "id", func(s *stored) db.Row {
		return append(bind(&s.Event), "traced", &s.traced)
	})
	eventView = db.NewView(table, bind)
)

func bind(e *Event) db.Row {
	return db.Row{
		"id", &e.ID, "store_id", &e.StoreKey, "aggregate_id", &e.AggregateID, "type", &e.Type,
		"recorded_at", db.Time(&e.RecordedAt), "payload", db.JSON(&e.Payload),
	}
}

// List returns at most limit events whose ids are at least from, the lowest ids first or, if
// descending, the highest. total is the number of events from that id on. All writes that returned
// before the call are included.
func List(ctx context.Context, d *db.DB, from int64, limit int, descending bool) (
	events []Event, total int64, err error) {
	if _, err := Number(ctx, d); err != nil {
		return nil, 0, err
	}
	order := ""
	if descending {
		order = "DESC"
	}
	err = d.Read(ctx, func(tx *db.Tx) error {
		events, err = eventView.All(tx,
			`SELECT * FROM events WHERE id >= ? ORDER BY id `+order+` LIMIT ?`, from, limit)
		if err != nil {
			return err
		}
		newest, err := newest(tx)
		total = max(0, newest-max(from, 1)+1) // ids have no gaps
		return err
	})
	return events, total, err
}

// Find returns the event with the id; found is false when there is none.
func Find(ctx context.Context, d *db.DB, id int64) (one Event, found bool, err error) {
	if _, err := Number(ctx, d); err != nil {
		return one, false, err
	}
	err = d.Read(ctx, func(tx *db.Tx) error {
		one, found, err = ByNumber(tx, id)
		return err
	})
	return one, found, err
}

// Last returns the highest id, 0 without events.
func Last(ctx context.Context, d *db.DB) (id int64, err error) {
	if _, err := Number(ctx, d); err != nil {
		return 0, err
	}
	err = d.Read(ctx, func(tx *db.Tx) error {
		id, err = newest(tx)
		return err
	})
	return id, err
}

// ByNumber is Find in a transaction, which sees only events that have their numbers.
func ByNumber(tx *db.Tx, id int64) (Event, bool, error) {
	return eventView.One(tx, `SELECT * FROM events WHERE id = ?`, id)
}

func newest(tx *db.Tx) (int64, error) {
	return db.Value[int64](tx, `SELECT COALESCE(MAX(id), 0) FROM events`)
}

package event

import (
	"math"
	"strings"
	"time"

	"punchcard/platform/db"
)

// Filter selects events of a store. They are searched from the newest to the oldest.
type Filter struct {
	StoreKey int64
	Type     string    // a type, or the beginning of types with a star behind it; empty for all
	About    string    // an aggregate, without its Frequent events; empty for all
	From, To time.Time // both included; zero for no bound
	Before   int64     // only lower ids; 0 for all
	Limit    int       // of events
	Window   int64     // of ids that are looked at, without About
}

// Looked is the progress of a search.
type Looked struct {
	Next   int64     // Before of the rest of the search; 0 at the end
	BackTo time.Time // when the oldest event that was looked at was recorded, zero without one
}

// Search returns the next numbered events that match. Without About, it looks at the next Window ids only: fewer events
// than Limit do not mean that there are no more.
func Search(tx *db.Tx, f Filter) (events []Event, looked Looked, err error) {
	last, err := newest(tx)
	if err != nil {
		return nil, looked, err
	}
	end := last + 1
	if f.Before > 0 {
		end = min(end, f.Before)
	}
	prefix, length := f.Type, math.MaxInt32
	if beginning, starred := strings.CutSuffix(f.Type, "*"); starred || f.Type == "" {
		prefix, length = beginning, len([]rune(beginning))
	}
	from, to := int64(0), int64(math.MaxInt64)
	if !f.From.IsZero() {
		from = f.From.UnixMicro()
	}
	if !f.To.IsZero() {
		to = f.To.UnixMicro()
	}
	begin := int64(1)
	if f.About == "" {
		begin = max(1, end-f.Window)
		events, err = eventView.All(tx, `SELECT * FROM events WHERE id >= ? AND id < ? AND store_id = ?
			AND SUBSTR(type, 1, ?) = ? AND recorded_at >= ? AND recorded_at <= ? ORDER BY id DESC LIMIT ?`,
			begin, end, f.StoreKey, length, prefix, from, to, f.Limit)
	} else {
		events, err = eventView.All(tx, `SELECT * FROM events WHERE store_id = ? AND aggregate_id = ?
			AND traced = TRUE AND id < ? AND SUBSTR(type, 1, ?) = ? AND recorded_at >= ? AND recorded_at <= ?
			ORDER BY id DESC LIMIT ?`, f.StoreKey, f.About, end, length, prefix, from, to, f.Limit)
	}
	if err != nil {
		return nil, looked, err
	}
	switch {
	case len(events) == f.Limit:
		looked.Next, looked.BackTo = events[len(events)-1].ID, events[len(events)-1].RecordedAt
		return events, looked, nil
	case f.About != "":
		return events, looked, nil
	}
	oldest, found, err := eventView.One(tx,
		`SELECT * FROM events WHERE id >= ? AND id < ? AND store_id = ? ORDER BY id LIMIT 1`,
		begin, end, f.StoreKey)
	if found {
		looked.BackTo = oldest.RecordedAt
	}
	if begin > 1 && (!found || oldest.RecordedAt.UnixMicro() >= from) { // a store's clock never goes back
		looked.Next = begin
	}
	return events, looked, err
}

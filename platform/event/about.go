package event

import (
	"cmp"
	"encoding/json"
	"slices"

	"punchcard/platform/db"
)

// Frequent is a Fact that may be one of very many, and whose content other rows also hold. Such
// events are not indexed by aggregate, because the index would slow every write.
type Frequent interface {
	Fact
	// Frequent reports whether this one is.
	Frequent() bool
}

// traced reports whether an event is indexed by aggregate.
func traced(fact Fact) bool {
	f, may := fact.(Frequent)
	return !may || !f.Frequent()
}

// About returns numbered events of distinct aggregates, without Frequent ones, in the order of their
// ids: at most limit of those after an id.
func About(tx *db.Tx, storeKey, after int64, limit int, aggregateIDs ...string) ([]Event, error) {
	var found []Event
	err := db.EachOf(tx, aggregateIDs, (*Event).row, func(e Event) { found = append(found, e) },
		`SELECT id, store_id, aggregate_id, type, recorded_at, payload FROM events
		WHERE store_id = ? AND aggregate_id = $key AND traced = TRUE AND id > ? ORDER BY id LIMIT ?`,
		storeKey, after, limit)
	slices.SortFunc(found, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
	return found[:min(len(found), limit)], err
}

// AboutBefore is About for the events before an id, newest first.
func AboutBefore(tx *db.Tx, storeKey, before int64, limit int, aggregateIDs ...string) ([]Event, error) {
	var found []Event
	err := db.EachOf(tx, aggregateIDs, (*Event).row, func(e Event) { found = append(found, e) },
		`SELECT id, store_id, aggregate_id, type, recorded_at, payload FROM events
		WHERE store_id = ? AND aggregate_id = $key AND traced = TRUE AND id < ? ORDER BY id DESC LIMIT ?`,
		storeKey, before, limit)
	slices.SortFunc(found, func(a, b Event) int { return cmp.Compare(b.ID, a.ID) })
	return found[:min(len(found), limit)], err
}

// editedAtOnce is how many events Rewrite reads at once.
const editedAtOnce = 500

// Rewrite edits the payloads of all numbered events of distinct aggregates whose types are in edits.
// Nothing else of the events changes. Messages that were relayed before keep the old payload until
// the queue drops them.
func Rewrite(tx *db.Tx, storeKey int64, edits map[string]Edit, aggregateIDs ...string) error {
	for after, n := int64(0), editedAtOnce; n == editedAtOnce && len(aggregateIDs) > 0; {
		events, err := About(tx, storeKey, after, editedAtOnce, aggregateIDs...)
		if err != nil {
			return err
		}
		var changed [][]any
		for i := range events {
			e := &events[i]
			after = e.ID
			edit, known := edits[e.Type]
			if !known {
				continue
			}
			fact, err := edit.apply(e.Payload)
			if err != nil {
				return err
			}
			payload, err := json.Marshal(fact)
			if err != nil {
				return err
			}
			if string(payload) != string(e.Payload) {
				changed = append(changed, []any{e.ID, string(payload)})
			}
		}
		if err := tx.Update("events", eventKeys, eventPayload, changed...); err != nil {
			return err
		}
		n = len(events)
	}
	return nil
}

var (
	eventKeys    = []db.Column{{Name: "id", Type: "BIGINT"}}
	eventPayload = []db.Column{{Name: "payload", Type: "TEXT"}}
)

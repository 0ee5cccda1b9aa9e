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
	err := tx.Run(eventView.SelectEach(tx, aggregateIDs, func(e Event) { found = append(found, e) }, `SELECT * FROM events
		WHERE store_id = ? AND aggregate_id = $key AND traced = TRUE AND id > ? ORDER BY id LIMIT ?`,
		storeKey, after, limit)...)
	slices.SortFunc(found, func(a, b Event) int { return cmp.Compare(a.ID, b.ID) })
	return found[:min(len(found), limit)], err
}

// AboutBefore is About for the events before an id, newest first.
func AboutBefore(tx *db.Tx, storeKey, before int64, limit int, aggregateIDs ...string) ([]Event, error) {
	var found []Event
	err := tx.Run(eventView.SelectEach(tx, aggregateIDs, func(e Event) { found = append(found, e) }, `SELECT * FROM events
		WHERE store_id = ? AND aggregate_id = $key AND traced = TRUE AND id < ? ORDER BY id DESC LIMIT ?`,
		storeKey, before, limit)...)
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
		found, err := About(tx, storeKey, after, editedAtOnce, aggregateIDs...)
		if err != nil {
			return err
		}
		var changed []*Event
		for i := range found {
			e := &found[i]
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
				e.Payload = payload
				changed = append(changed, e)
			}
		}
		if err := eventView.Update(tx, "payload", changed...); err != nil {
			return err
		}
		n = len(found)
	}
	return nil
}

package event

import (
	"encoding/json"
	"reflect"
	"strconv"

	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Events are the numbered events.
var Events = check.Table{Name: "events", ID: "id"}

// TypesQuery selects store_id, id and type of the numbered events.
const TypesQuery = `SELECT store_id, id, type FROM events`

// Rules returns the consistency rules of events. facts are zero values of all event types.
func Rules(facts ...Fact) []check.Rule {
	known := make(map[string]reflect.Type, len(facts))
	for _, fact := range facts {
		known[fact.EventType()] = reflect.TypeOf(fact)
	}
	return []check.Rule{
		check.Rows("event.ids", `SELECT store_id, id, 'after ' || CAST(previous AS VARCHAR), 'after the one before'
			FROM (SELECT store_id, id, LAG(id, 1, CAST(0 AS BIGINT)) OVER (ORDER BY id) AS previous FROM events) e
			WHERE id <> previous + 1`),
		check.Rows("event.cursors", `SELECT 0, name, last_id, (SELECT COALESCE(MAX(id), 0) FROM events)
			FROM event_cursors WHERE last_id < 0 OR last_id > (SELECT COALESCE(MAX(id), 0) FROM events)`),
		check.Fold("event.payloads", func(tx *db.Tx, found func(int64, string, string, string)) error {
			if err := checkPayloads(tx, known, `SELECT * FROM events`, found); err != nil {
				return err
			}
			if tx.NumbersEvents() {
				return nil // there is no queue
			}
			return checkPayloads(tx, known, `SELECT queue_id AS id, store_id, unnest(aggregate_ids) AS aggregate_id,
				unnest(types) AS type, recorded_at, unnest(payloads) AS payload FROM event_queue`, found)
		}),
	}
}

func checkPayloads(tx *db.Tx, known map[string]reflect.Type, query string,
	found func(store int64, id, is, want string)) error {
	return eventView.Each(tx, func(e Event) {
		id := strconv.FormatInt(e.ID, 10)
		fact, isKnown := known[e.Type]
		if !isKnown {
			found(e.StoreKey, id, strconv.Quote(e.Type), "a type of this program")
			return
		}
		if err := json.Unmarshal(e.Payload, reflect.New(fact).Interface()); err != nil {
			found(e.StoreKey, id, err.Error(), "a payload of "+e.Type)
		}
	}, query)
}

// Package event stores events. They are appended in the transaction of the change they record,
// numbered in the order in which readers can see them, and relayed to the message queue.
package event

import (
	"encoding/json"
	"time"

	"punchcard/platform/db"
)

// Fact is the payload of one event type. Members may be added but not removed.
type Fact interface {
	// EventType is the full name of the type, as clients see it.
	EventType() string
}

// Event is one stored event.
type Event struct {
	ID          int64 // global, without gaps, in the order in which commits become visible
	StoreKey    int64
	AggregateID string // the customer, account or transaction that the event is about
	Type        string
	RecordedAt  time.Time
	Payload     json.RawMessage
}

// Entry is a fact about an aggregate, to be appended.
type Entry struct {
	AggregateID string
	Fact        Fact
}

// Append stores the entries in their order. They become visible when the transaction commits.
func Append(tx *db.Tx, storeKey int64, entries ...Entry) error {
	rows := make([][]any, len(entries))
	for i, entry := range entries {
		payload, err := json.Marshal(entry.Fact)
		if err != nil {
			return err
		}
		rows[i] = []any{storeKey, entry.AggregateID, entry.Fact.EventType(), tx.Now().UnixMicro(), string(payload),
			traced(entry.Fact)}
	}
	const columns = "store_id, aggregate_id, type, recorded_at, payload, traced"
	if !tx.NumbersEvents() {
		return tx.Insert("event_queue", columns, "", rows...)
	}
	// Commits are serialized here, so the next number is final.
	last, err := newest(tx)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i] = append(rows[i], last+int64(i)+1)
	}
	return tx.Insert("events", columns+", id", "", rows...)
}

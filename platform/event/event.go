// Package event keeps what happened: facts appended in the transaction that makes them true, numbered
// in the order in which readers can see them, and handed on to the message queue.
package event

import (
	"encoding/json"
	"time"

	"punchcard/platform/db"
)

// Fact is the payload of one event type. Its members are only ever added to.
type Fact interface {
	// EventType is the full type name of the contract, part 6.
	EventType() string
}

// Event is one stored fact.
type Event struct {
	ID          int64 // global, without gaps, in the order in which commits become visible
	StoreKey    int64
	AggregateID string // what the fact is about: a customer, an account, a transaction
	Type        string
	RecordedAt  time.Time
	Payload     json.RawMessage
}

// Entry is a fact about an aggregate, to be appended.
type Entry struct {
	AggregateID string
	Fact        Fact
}

// Append stores the entries, in their order, with the transaction: they exist when it commits and not
// otherwise.
func Append(tx *db.Tx, storeKey int64, entries ...Entry) error {
	rows := make([][]any, len(entries))
	for i, entry := range entries {
		payload, err := json.Marshal(entry.Fact)
		if err != nil {
			return err
		}
		rows[i] = []any{storeKey, entry.AggregateID, entry.Fact.EventType(), tx.Now.UnixMicro(), string(payload),
			traced(entry.Fact)}
	}
	const columns = "store_id, aggregate_id, type, recorded_at, payload, traced"
	if !tx.NumbersEvents() {
		return tx.Insert("event_queue", columns, "", rows...)
	}
	// Commits happen one after the other here, so the next number is already the right one.
	last, err := newest(tx)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i] = append(rows[i], last+int64(i)+1)
	}
	return tx.Insert("events", columns+", id", "", rows...)
}

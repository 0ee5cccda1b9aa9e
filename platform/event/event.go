// Package event stores events. They are appended in the transaction of the change they record,
// numbered in the order in which readers can see them. Package queue relays them to the message queue.
package event

import (
	"encoding/json"
	"slices"
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
	if tx.IsDry() {
		for i := range entries {
			tx.Record(entries[i].Fact)
		}
	}
	if !tx.NumbersEvents() {
		return enqueue(tx, storeKey, entries)
	}
	// Commits are serialized here, so the next number is final.
	last, err := newest(tx)
	if err != nil {
		return err
	}
	rows := make([]*stored, len(entries))
	for i, entry := range entries {
		payload, err := json.Marshal(entry.Fact)
		if err != nil {
			return err
		}
		rows[i] = &stored{Event{last + int64(i) + 1, storeKey, entry.AggregateID, entry.Fact.EventType(), tx.Now(), payload},
			traced(entry.Fact)}
	}
	return table.Insert(tx, rows...)
}

// enqueue stores the entries without numbers, in rows of up to numberLimit events.
func enqueue(tx *db.Tx, storeKey int64, entries []Entry) error {
	for some := range slices.Chunk(entries, numberLimit) {
		aggregates, types := make([]string, len(some)), make([]string, len(some))
		payloads, traces := make([]string, len(some)), make([]bool, len(some))
		for i, entry := range some {
			payload, err := json.Marshal(entry.Fact)
			if err != nil {
				return err
			}
			aggregates[i], types[i] = entry.AggregateID, entry.Fact.EventType()
			payloads[i], traces[i] = string(payload), traced(entry.Fact)
		}
		err := tx.Insert("event_queue", "store_id, recorded_at, size, aggregate_ids, types, payloads, traced", "",
			[]any{storeKey, tx.Now().UnixMicro(), len(some), aggregates, types, payloads, traces})
		if err != nil {
			return err
		}
	}
	return nil
}

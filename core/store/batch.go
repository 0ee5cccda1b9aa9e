package store

import (
	"fmt"
	"maps"
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/db/batch"
)

// operation decides the calls of one store, in order of arrival, with the store's clock.
type operation[In, Out any] func(tx *db.Tx, s *Store, calls []In) ([]batch.Outcome[Out], error)

// NewBatch is batch.New for an operation that handles the calls of each store separately. storeOf returns the store
// of a call.
func NewBatch[In, Out any](d *db.DB, storeOf func(In) *Store, run operation[In, Out]) *batch.Batch[In, Out] {
	return batch.New(d, run.ofEach(storeOf))
}

// NewReadBatch is NewBatch for an operation that only reads.
func NewReadBatch[In, Out any](d *db.DB, storeOf func(In) *Store, run operation[In, Out]) *batch.Batch[In, Out] {
	return batch.NewRead(d, run.ofEach(storeOf))
}

// ofEach returns an operation on the calls of several stores. It handles the stores in the order of their keys, in
// which their rows are locked.
func (run operation[In, Out]) ofEach(storeOf func(In) *Store) func(*db.Tx, []In) ([]batch.Outcome[Out], error) {
	return func(tx *db.Tx, calls []In) ([]batch.Outcome[Out], error) {
		byStore := map[int64][]int{}
		for i := range calls {
			key := storeOf(calls[i]).Key
			byStore[key] = append(byStore[key], i)
		}
		outcomes := make([]batch.Outcome[Out], len(calls))
		for _, key := range slices.Sorted(maps.Keys(byStore)) {
			part := make([]In, len(byStore[key]))
			for n, i := range byStore[key] {
				part[n] = calls[i]
			}
			s := storeOf(part[0])
			found, err := run(s.Tx(tx), s, part)
			if err != nil {
				return nil, err
			}
			if len(found) != len(part) {
				return nil, fmt.Errorf("a batch of %d calls has %d outcomes", len(part), len(found))
			}
			for n, i := range byStore[key] {
				outcomes[i] = found[n]
			}
		}
		return outcomes, nil
	}
}

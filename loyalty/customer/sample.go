package customer

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"punchcard/loyalty/level"
	"punchcard/platform/db"
)

// PreviewLimit is how many customers a preview of an audience looks at. A preview that has not seen all of them by
// then is an estimate.
const PreviewLimit = 50_000

// ExamplesShown is how many customers a preview names.
const ExamplesShown = 5

const (
	sampleSlices = 64  // a power of 2
	sampleChunk  = 100 // customers that are read at once
)

// Reach is how many customers a preview reaches.
type Reach struct {
	Customers   int64     `json:"customers"`             // active customers who are reached
	Total       int64     `json:"total"`                 // active customers of the store
	Estimate    bool      `json:"estimate"`              // the numbers are extrapolated from a part of the customers
	EstimatedBy string    `json:"estimatedBy,omitempty"` // sample
	Examined    int64     `json:"examined"`              // customers who were looked at
	Examples    []Example `json:"examples"`
}

// Example is one customer who is reached.
type Example struct {
	CustomerID string `json:"customerId"`
	Name       string `json:"name,omitempty"` // only for callers who may view customers
}

// CountBySample counts the customers that matching selects from the customers of a store. In a store with more
// customers than the limit, it looks at that many, of all times of registration, and extrapolates. The limit is rounded
// up to a whole chunk.
func CountBySample(tx *db.Tx, storeKey int64, limit int,
	matching func(tx *db.Tx, some []Traits) (ids []string, err error)) (Reach, error) {
	reach := Reach{Examples: []Example{}}
	rest, err := sampleOf(tx, storeKey)
	for read := 0; err == nil && len(rest) > 0 && read < limit; {
		var some []Traits
		if some, rest, err = nextOf(tx, storeKey, rest); err == nil && len(some) > 0 {
			read += len(some)
			err = reach.add(tx, some, matching)
		}
	}
	if err != nil || len(rest) == 0 {
		return reach, err
	}
	all, err := level.Customers(tx, storeKey)
	if err != nil {
		return reach, err
	}
	reach.Estimate, reach.EstimatedBy = true, "sample"
	reach.Customers = extrapolated(reach.Customers, reach.Examined, all)
	reach.Total = extrapolated(reach.Total, reach.Examined, all)
	return reach, nil
}

// extrapolated returns n of a part for the whole, rounded half up.
func extrapolated(n, part, whole int64) int64 {
	if part == 0 {
		return 0
	}
	return int64(float64(n)/float64(part)*float64(whole) + 0.5)
}

// add counts some customers. Deleted ones do not count as examined.
func (r *Reach) add(tx *db.Tx, some []Traits,
	matching func(tx *db.Tx, some []Traits) (ids []string, err error)) error {
	ids, err := matching(tx, some)
	if err != nil {
		return err
	}
	for i := range some {
		if some[i].Status != Deleted {
			r.Examined++
		}
		if some[i].IsActive() {
			r.Total++
		}
	}
	r.Customers += int64(len(ids))
	for _, id := range ids[:min(len(ids), ExamplesShown-len(r.Examples))] {
		r.Examples = append(r.Examples, Example{CustomerID: id})
	}
	return nil
}

// Among replaces an estimated number by the number of distinct candidates whom matching selects. The total remains an
// estimate.
func (r *Reach) Among(tx *db.Tx, storeKey int64, candidates []string,
	matching func(tx *db.Tx, some []Traits) (ids []string, err error)) error {
	r.Customers, r.Examples = 0, []Example{}
	for ids := range slices.Chunk(candidates, sampleChunk) {
		some, err := TraitsOf(tx, storeKey, ids...)
		if err != nil {
			return err
		}
		total, examined := r.Total, r.Examined
		if err := r.add(tx, some, matching); err != nil {
			return err
		}
		r.Total, r.Examined = total, examined
	}
	return nil
}

// NameExamples adds the names of the examples.
func (r *Reach) NameExamples(tx *db.Tx, storeKey int64) error {
	ids := make([]string, len(r.Examples))
	for i := range r.Examples {
		ids[i] = r.Examples[i].CustomerID
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := FindAll(tx, storeKey, ids...)
	for i, id := range ids {
		if c := found[id]; c != nil && err == nil {
			r.Examples[i].Name = c.FirstName + " " + c.LastName
		}
	}
	return err
}

// idRange is a range of ids: those after one, up to another.
type idRange struct{ after, to string }

// sampleOf returns spans that divide the time of registrations into equal parts. Neighbours in the result are far
// apart in time, so that the first ones stand for all. Ids begin with the time of registration.
func sampleOf(tx *db.Tx, storeKey int64) ([]idRange, error) {
	const query = `SELECT customer_id FROM customers WHERE store_id = ? ORDER BY customer_id `
	first, err := db.Value[string](tx, query+`LIMIT 1`, storeKey)
	if err != nil || first == "" {
		return nil, err
	}
	last, err := db.Value[string](tx, query+`DESC LIMIT 1`, storeKey)
	if err != nil {
		return nil, err
	}
	from, to := millisecondOf(first), millisecondOf(last)
	bound := func(i uint64) string {
		at := from + (to-from)/sampleSlices*i + (to-from)%sampleSlices*i/sampleSlices
		return fmt.Sprintf("%08x-%04x-0000-0000-000000000000", at>>16, at&0xffff)
	}
	spans := make([]idRange, sampleSlices)
	for i := range uint64(sampleSlices) {
		s := idRange{bound(i), bound(i + 1)}
		if i == 0 {
			s.after = ""
		}
		if i == sampleSlices-1 {
			s.to = last
		}
		spans[bits.Reverse64(i)>>(64-bits.Len(sampleSlices-1))] = s // neighbours in time get far apart
	}
	return spans, nil
}

// millisecondOf returns the first 48 bits of an id, which are its time if it is a UUID of version 7.
func millisecondOf(id string) uint64 {
	if len(id) < len("00000000-0000") {
		return 0
	}
	ms, err := strconv.ParseUint(id[:8]+id[9:13], 16, 48)
	if err != nil {
		return 0
	}
	return ms
}

// nextOf reads some customers of the first span, and moves what is left of it to the end.
func nextOf(tx *db.Tx, storeKey int64, spans []idRange) (some []Traits, rest []idRange, err error) {
	s := spans[0]
	some, err = traitView.All(tx, `SELECT * FROM customers
		WHERE store_id = ? AND customer_id > ? AND customer_id <= ? ORDER BY customer_id LIMIT ?`,
		storeKey, s.after, s.to, sampleChunk)
	rest = spans[1:]
	if len(some) == sampleChunk {
		rest = append(rest, idRange{some[len(some)-1].ID, s.to})
	}
	return some, rest, err
}

package segment

import (
	"slices"

	"punchcard/loyalty/level"
	"punchcard/platform/db"
)

// Audience is the customers in any of some levels and segments, which need not exist.
type Audience struct {
	Of               string // id of what is for these customers
	Levels, Segments []string
}

// Empty returns, in their order, what those audiences are of in which there is nobody now. There are none in a store
// without customers.
func Empty(tx *db.Tx, storeKey int64, audiences []Audience) (of []string, err error) {
	levels, err := level.Counted(tx, storeKey)
	if err != nil {
		return nil, err
	}
	members := map[string]int64{} // of levels and segments
	var all int64
	for i := range levels {
		if l := &levels[i]; !l.Deleted {
			members[l.ID] = l.Customers
			all += l.Customers
		}
	}
	if all == 0 {
		return nil, nil
	}
	var segments []string
	for _, a := range audiences {
		segments = append(segments, a.Segments...)
	}
	const atOnce = 1000 // ids in one statement
	for part := range slices.Chunk(db.Distinct(segments), atOnce) {
		counts, query := SelectCounts(tx, storeKey, part...)
		if err := tx.Run(query); err != nil {
			return nil, err
		}
		for id, n := range counts {
			members[id] = n
		}
	}
	for _, a := range audiences {
		if !slices.ContainsFunc(slices.Concat(a.Levels, a.Segments), func(id string) bool { return members[id] > 0 }) {
			of = append(of, a.Of)
		}
	}
	return of, nil
}

package campaign

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// EverybodyTarget is the target, beside levels and segments, that every customer has.
const EverybodyTarget = "everybody"

// targets returns the keys by which customers are looked up: the ids of levels and segments, or EverybodyTarget.
func (d *Definition) targets() []string {
	if d.Everybody {
		return []string{EverybodyTarget}
	}
	return slices.Concat(d.Levels, d.Segments)
}

// LevelIDs returns the levels of the audience, which are all levels of the store if it is everybody.
func (d *Definition) LevelIDs(levels []level.Level) []string {
	if d.Everybody {
		return level.IDs(levels)
	}
	return append([]string{}, d.Levels...)
}

// audience is the customers that a campaign targets: those in any of its levels and segments.
type audience struct {
	storeKey int64
	levels   []level.Level
	segments []string
}

// Audience returns at most limit ids of the customers after an id that a campaign targets, in order of ids.
func Audience(tx *db.Tx, storeKey int64, id, after string, limit int) ([]string, error) {
	a, err := findAudience(tx, storeKey, id)
	if err != nil {
		return nil, err
	}
	return a.next(tx, after, limit)
}

// AudienceSize returns the number of customers that a campaign targets.
func (k *Catalogue) AudienceSize(tx *db.Tx, storeKey int64, id string) (int64, error) {
	a, err := findAudience(tx, storeKey, id)
	if err != nil {
		return 0, err
	}
	members, err := membersOf(tx, storeKey, a.segments)
	if err != nil {
		return 0, err
	}
	return k.sizeOf(tx, a, members)
}

func findAudience(tx *db.Tx, storeKey int64, id string) (audience, error) {
	d, found, err := db.One(tx, func(d *Definition) []any { return []any{db.JSON(d)} },
		`SELECT definition FROM campaigns WHERE store_id = ? AND campaign_id = ?`, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return audience{}, err
	}
	levels, err := level.Counted(tx, storeKey)
	return audienceOf(storeKey, &d, levels), err
}

// membersOf returns the number of customers in each of the segments.
func membersOf(tx *db.Tx, storeKey int64, segments []string) (map[string]int64, error) {
	if len(segments) == 0 {
		return nil, nil
	}
	members, query := segment.SelectCounts(tx, storeKey, segments...)
	return members, tx.Run(query)
}

// audienceOf returns the audience of a definition, without deleted levels and repeated targets.
func audienceOf(storeKey int64, d *Definition, levels []level.Level) audience {
	if d.Everybody {
		return audience{storeKey: storeKey, levels: levels} // deleted ones may still have customers
	}
	a := audience{storeKey: storeKey, segments: db.Distinct(d.Segments)}
	for _, id := range db.Distinct(d.Levels) {
		if l := level.Find(levels, id); l != nil {
			a.levels = append(a.levels, *l)
		}
	}
	return a
}

// next returns at most limit ids of customers after an id, in order of ids.
func (a audience) next(tx *db.Tx, after string, limit int) (ids []string, err error) {
	add := func(more []string, failed error) {
		ids = append(ids, more...)
		slices.Sort(ids)
		ids = slices.Compact(ids)
		ids = ids[:min(len(ids), limit)]
		err = failed
	}
	for i := 0; i < len(a.levels) && err == nil; i++ {
		add(customer.MembersOf(tx, a.storeKey, a.levels[i].ID, after, limit))
	}
	for i := 0; i < len(a.segments) && err == nil; i++ {
		add(segment.Members(tx, a.storeKey, a.segments[i], after, limit))
	}
	return ids, err
}

// sizeOf returns the number of customers of an audience. A customer is in one level, and members holds the size of each
// segment. Only customers who can be in several of the targets are counted one by one.
func (k *Catalogue) sizeOf(tx *db.Tx, a audience, members map[string]int64) (int64, error) {
	var total int64
	for _, l := range a.levels {
		total += l.Customers
	}
	for _, id := range a.segments {
		total += members[id]
	}
	switch {
	case len(a.segments) == 0, len(a.segments) == 1 && len(a.levels) == 0:
		return total, nil
	case total <= walkable, tx.IsDry():
		return a.walk(tx)
	}
	return k.cache.sizeOf(a).get(tx.ServerNow(), func() (int64, error) { return a.walk(tx) })
}

// walkable is the maximal number of memberships up to which an audience is counted for each request.
const walkable = 10_000

// walk counts the distinct customers one by one.
func (a audience) walk(tx *db.Tx) (n int64, err error) {
	const atOnce = 5000
	for after := ""; ; {
		ids, err := a.next(tx, after, atOnce)
		n += int64(len(ids))
		if err != nil || len(ids) < atOnce {
			return n, err
		}
		after = ids[len(ids)-1]
	}
}

// sizeAge is the maximal age of the cached size of an audience above walkable.
const sizeAge = time.Minute

// audienceSize is the cached size of a large audience. Concurrent requests wait for one count.
type audienceSize struct {
	mutex sync.Mutex
	n     int64
	at    time.Time
}

func (c *cache) sizeOf(a audience) *audienceSize {
	names := []string{strconv.FormatInt(a.storeKey, 10)}
	for _, l := range a.levels {
		names = append(names, l.ID)
	}
	key := audienceKey(strings.Join(append(names, a.segments...), " "))
	const itself = 200 // bytes
	return findOrPut(c, key, &audienceSize{}, itself+len(key))
}

func (s *audienceSize) get(now time.Time, count func() (int64, error)) (int64, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if age := now.Sub(s.at); age >= 0 && age < sizeAge {
		return s.n, nil
	}
	n, err := count()
	if err == nil {
		s.n, s.at = n, now
	}
	return n, err
}

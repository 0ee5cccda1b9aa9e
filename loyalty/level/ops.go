package level

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrLastStart and ErrLastStartOff are returned if no level would be left for new customers.
var (
	ErrLastStart = fault.New(fault.Refused, "last_start_level_deleted",
		"The last level to start in cannot be deleted")
	ErrLastStartOff = fault.New(fault.Refused, "last_start_level_switched_off",
		"The last level to start in cannot be switched off")
)

// Create adds a level with a new id and returns it.
func Create(tx *db.Tx, s *store.Store, l Level) (*Level, error) {
	l.StoreKey, l.ID, l.CreatedAt = s.Key, tx.NewID(), tx.Now()
	if err := l.number(tx, nil); err != nil {
		return nil, err
	}
	return &l, insertLevel(tx, &l)
}

// Update replaces all data of a level. Texts keep their ids if the level had the language, and special
// rewards keep theirs if they were sent with them. Others get new ids.
func Update(tx *db.Tx, s *store.Store, id string, draft Level) error {
	levels, l, err := lockLevels(tx, s.Key, id)
	if err != nil {
		return err
	}
	draft.StoreKey, draft.ID, draft.CreatedAt, draft.Customers = l.StoreKey, l.ID, l.CreatedAt, l.Customers
	if err := draft.number(tx, l); err != nil {
		return err
	}
	return changeLevel(tx, levels, l, draft)
}

// lockLevels locks the levels of a store and returns them with the one that has the id.
func lockLevels(tx *db.Tx, storeKey int64, id string) ([]Level, *Level, error) {
	levels, err := lockAll(tx, storeKey)
	if err != nil {
		return nil, nil, err
	}
	l := Find(levels, id)
	if l == nil {
		return nil, nil, fault.ErrNotFound
	}
	return levels, l, nil
}

// changeLevel replaces l, one of the locked levels, unless that takes away the last level to start in.
func changeLevel(tx *db.Tx, levels []Level, l *Level, to Level) error {
	couldStart := Candidate(levels, 0) != nil
	*l = to
	if couldStart && Candidate(levels, 0) == nil {
		return ErrLastStartOff
	}
	return updateLevel(tx, l)
}

// number assigns ids to texts and special rewards, and reuses those of before.
func (l *Level) number(tx *db.Tx, before *Level) error {
	if before == nil {
		before = &Level{}
	}
	l.Translations, l.SpecialRewards = slices.Clone(l.Translations), slices.Clone(l.SpecialRewards)
	var unnumbered []*Translation
	for i := range l.Translations {
		t := &l.Translations[i]
		same := func(old Translation) bool { return old.Locale == t.Locale }
		if at := slices.IndexFunc(before.Translations, same); at >= 0 {
			t.ID = before.Translations[at].ID
		} else {
			unnumbered = append(unnumbered, t)
		}
	}
	first, err := store.TranslationIDs(tx, len(unnumbered))
	if err != nil {
		return err
	}
	for i, t := range unnumbered {
		t.ID = first + int64(i)
	}
	for i := range l.SpecialRewards {
		r := &l.SpecialRewards[i]
		sent := r.ID
		r.ID, r.CreatedAt = tx.NewID(), tx.Now()
		for _, old := range before.SpecialRewards {
			if old.ID == sent {
				r.ID, r.CreatedAt = old.ID, old.CreatedAt
			}
		}
	}
	return nil
}

// SetActive activates or deactivates a level, unless new customers could not start without it. Customers
// stay in an inactive level until their next check.
func SetActive(tx *db.Tx, s *store.Store, id string, active bool) error {
	levels, l, err := lockLevels(tx, s.Key, id)
	if err != nil {
		return err
	}
	to := *l
	to.Active = active
	return changeLevel(tx, levels, l, to)
}

// Delete marks a level as deleted, unless new customers could not start without it. The caller moves its
// customers.
func Delete(tx *db.Tx, s *store.Store, id string) error {
	levels, l, err := lockLevels(tx, s.Key, id)
	if err != nil {
		return err
	}
	l.Deleted = true
	if l.ConditionValue == 0 && Candidate(levels, 0) == nil {
		return ErrLastStart
	}
	if _, err := photos.Kind.Remove(tx, s.Key, id); err != nil {
		return err
	}
	return updateLevel(tx, l)
}

// countKey is a level of a store.
type countKey struct {
	store int64
	level string
}

type pendingKey struct{}

// Count adds to the number of customers of a level; an empty id stands for no level. It is written at the end of the
// operation, in the order of ids, so that opposite moves cannot deadlock.
func Count(tx *db.Tx, storeKey int64, id string, customers int64) {
	if id == "" {
		return
	}
	pending := db.Keep(tx, pendingKey{}, func() map[countKey]int64 {
		counts := map[countKey]int64{}
		tx.BeforeCommit("levels", func() error { return saveCounts(tx, counts) })
		return counts
	})
	pending[countKey{storeKey, id}] += customers
}

func saveCounts(tx *db.Tx, counts map[countKey]int64) error {
	var rows []*counted
	for _, key := range slices.SortedFunc(maps.Keys(counts), func(a, b countKey) int {
		return cmp.Or(cmp.Compare(a.store, b.store), cmp.Compare(a.level, b.level))
	}) {
		if counts[key] != 0 {
			rows = append(rows, &counted{key.store, key.level, tx.Shard(), counts[key]})
		}
	}
	return countTable.InsertAdding(tx, rows...)
}

// counted is a part of the number of customers of a level.
type counted struct {
	storeKey  int64
	levelID   string
	shard     int64
	customers int64
}

var countTable = db.NewTable("level_counts", "store_id, level_id, shard", func(c *counted) db.Row {
	return db.Row{"store_id", &c.storeKey, "level_id", &c.levelID, "shard", &c.shard, "customers", &c.customers}
})

package level

import (
	"slices"

	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrLastStart is returned if no level would be left for new customers.
var ErrLastStart = fault.New(fault.Refused, "The last level to start in cannot be deleted")

// Create adds a level with a new id and returns it.
func Create(tx *db.Tx, s *store.Store, l Level) (*Level, error) {
	l.StoreKey, l.ID, l.CreatedAt = s.Key, tx.NewID(), tx.Now
	if err := l.number(tx, nil); err != nil {
		return nil, err
	}
	return &l, insert(tx, &l)
}

// Update replaces all data of a level. Texts keep their ids if the level had the language, and special
// rewards keep theirs if they were sent with them. Others get new ids.
func Update(tx *db.Tx, s *store.Store, id string, draft Level) error {
	l, err := lockOne(tx, s.Key, id)
	if err != nil {
		return err
	}
	draft.StoreKey, draft.ID, draft.CreatedAt, draft.Customers = l.StoreKey, l.ID, l.CreatedAt, l.Customers
	if err := draft.number(tx, l); err != nil {
		return err
	}
	return update(tx, &draft)
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
		r.ID, r.CreatedAt = tx.NewID(), tx.Now
		for _, old := range before.SpecialRewards {
			if old.ID == sent {
				r.ID, r.CreatedAt = old.ID, old.CreatedAt
			}
		}
	}
	return nil
}

// SetActive activates or deactivates a level. Customers stay in an inactive level until their next check.
func SetActive(tx *db.Tx, s *store.Store, id string, active bool) error {
	l, err := lockOne(tx, s.Key, id)
	if err != nil {
		return err
	}
	l.Active = active
	return update(tx, l)
}

// Delete marks a level as deleted, unless new customers could not start without it. The caller moves its
// customers.
func Delete(tx *db.Tx, s *store.Store, id string) error {
	levels, err := lockAll(tx, s.Key)
	if err != nil {
		return err
	}
	l := Find(levels, id)
	if l == nil {
		return fault.ErrNotFound
	}
	l.Deleted = true
	if l.ConditionValue == 0 && Candidate(levels, 0) == nil {
		return ErrLastStart
	}
	return update(tx, l)
}

// Moved updates the customer counts when a customer changes levels. Either id may be empty.
func Moved(tx *db.Tx, storeKey int64, from, to string) error {
	if from == to {
		return nil
	}
	// In the order of ids, so that two opposite moves cannot deadlock.
	ids, steps := []string{from, to}, []int64{-1, 1}
	if from > to {
		ids, steps = []string{to, from}, []int64{1, -1}
	}
	for i, id := range ids {
		if id == "" {
			continue
		}
		if err := count(tx, storeKey, id, steps[i]); err != nil {
			return err
		}
	}
	return nil
}

package earning

import (
	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// examine adds the errors that only the database can detect, and returns the form's error.
func (svc *Service) examine(tx *db.Tx, s *store.Store, g *form.Group, r *Rule) error {
	if t := svc.byName[r.Type]; t != nil && t.Examine != nil {
		if err := t.Examine(tx, s, &Form{Group: g, Rule: *r, desk: svc.desk}); err != nil {
			return err
		}
	}
	return g.Err()
}

// Create adds a rule that was not read from a form and returns its id.
func (svc *Service) Create(tx *db.Tx, s *store.Store, r Rule) (string, error) {
	return svc.create(tx, s, form.Read(nil), r)
}

// create adds a rule and returns its id. Invalid fields are the form's error.
func (svc *Service) create(tx *db.Tx, s *store.Store, g *form.Group, r Rule) (string, error) {
	r.StoreKey, r.ID, r.CreatedAt = s.Key, tx.NewID(), tx.Now()
	if err := svc.examine(tx, s, g, &r); err != nil {
		return "", err
	}
	return r.ID, table.Insert(tx, &r)
}

// change replaces everything but the type of a rule. Invalid fields are the form's error.
func (svc *Service) change(tx *db.Tx, s *store.Store, g *form.Group, id string, r Rule) error {
	r.StoreKey, r.ID = s.Key, id
	if !g.Submitted("everybody") {
		if err := r.keepEverybody(tx); err != nil {
			return err
		}
	}
	if err := svc.examine(tx, s, g, &r); err != nil {
		return err
	}
	return updateRule(tx, &r)
}

// keepEverybody makes the rule one for everybody if the stored one is, and it has the list that a view of that shows.
func (r *Rule) keepEverybody(tx *db.Tx) error {
	stored, err := Find(tx, r.StoreKey, r.ID)
	if err != nil || !stored.Definition.Everybody {
		return err
	}
	all, err := level.AreAll(tx, r.StoreKey, r.Definition.Levels)
	if all {
		r.Definition.Everybody, r.Definition.Levels = true, nil
	}
	return err
}

// SetActive activates or deactivates a rule. Repeating it has no further effect.
func SetActive(tx *db.Tx, s *store.Store, id string, active bool) error {
	found, err := setActive(tx, s.Key, id, active)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return err
}

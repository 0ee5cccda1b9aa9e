package earning

import (
	"errors"

	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// examine adds the errors that only the database can detect, and returns the form's error. It locks, so that the name
// of a custom event stays unique until the operation ends.
func examine(tx *db.Tx, desk *purchase.Desk, s *store.Store, g *form.Group, r *Rule) error {
	if r.Type == CustomEvent && r.EventName != "" {
		if _, err := store.Lock(tx, s.Key); err != nil {
			return err
		}
		owner, err := ownerOf(tx, s.Key, r.EventName)
		if err != nil {
			return err
		}
		if owner != "" && owner != r.ID {
			g.AddError("eventName", form.AlreadyUsed)
		}
	}
	if id := r.Definition.RewardCampaignID; id != "" {
		c, _, err := desk.Catalogue.Find(tx, s.Key, id)
		switch {
		case err != nil && !errors.Is(err, fault.ErrNotFound):
			return err
		case err != nil, !c.Active, !c.Reward.Buyable:
			g.AddError("rewardCampaignId", form.Invalid("unsuitable_campaign"))
		}
	}
	return g.Err()
}

// Create adds a rule that was not read from a form and returns its id.
func Create(tx *db.Tx, desk *purchase.Desk, s *store.Store, r Rule) (string, error) {
	return create(tx, desk, s, form.Read(nil), r)
}

// create adds a rule and returns its id. Invalid fields are the form's error.
func create(tx *db.Tx, desk *purchase.Desk, s *store.Store, g *form.Group, r Rule) (string, error) {
	r.StoreKey, r.ID, r.CreatedAt = s.Key, tx.NewID(), tx.Now()
	if err := examine(tx, desk, s, g, &r); err != nil {
		return "", err
	}
	return r.ID, tx.Insert("earning_rules", columns, "", r.row())
}

// change replaces everything but the type of a rule. Invalid fields are the form's error.
func change(tx *db.Tx, desk *purchase.Desk, s *store.Store, g *form.Group, id string, r Rule) error {
	r.StoreKey, r.ID = s.Key, id
	if err := examine(tx, desk, s, g, &r); err != nil {
		return err
	}
	return update(tx, &r)
}

// SetActive activates or deactivates a rule. Repeating it has no further effect.
func SetActive(tx *db.Tx, s *store.Store, id string, active bool) error {
	found, err := setActive(tx, s.Key, id, active)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return err
}

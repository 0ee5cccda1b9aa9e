package campaign

import (
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/search"
	"punchcard/store"
)

// Draft is a campaign as it was sent, with its codes.
type Draft struct {
	Campaign
	Codes []string
}

// Create adds a campaign and returns its id.
func Create(tx *db.Tx, s *store.Store, draft Draft) (string, error) {
	c := draft.Campaign
	c.StoreKey, c.ID, c.Version, c.CreatedAt = s.Key, tx.NewID(), 1, tx.Now
	c.Definition.Translations = slices.Clone(c.Definition.Translations)
	first, err := store.TranslationIDs(tx, len(c.Definition.Translations))
	if err != nil {
		return "", err
	}
	for i := range c.Definition.Translations {
		c.Definition.Translations[i].ID = first + int64(i)
	}
	if c.SingleCoupon && len(draft.Codes) > 0 {
		c.Definition.SingleCode = draft.Codes[0]
	}
	k := Counters{
		StoreKey: s.Key, CampaignID: c.ID, Version: c.Version, NextPosition: 1, LastPosition: distinct(draft.Codes),
	}
	if err := insert(tx, &c, k, draft.Codes); err != nil {
		return "", err
	}
	return c.ID, search.Put(tx, s.Key, SearchKind, c.document())
}

// SetActive switches a campaign on or off. Repeating it changes nothing. It waits for purchases under
// way, so that none succeeds after the switch.
func SetActive(tx *db.Tx, s *store.Store, id string, active bool) error {
	locked, err := LockCounters(tx, s.Key, id)
	if err != nil {
		return err
	}
	if _, found := locked[id]; !found {
		return fault.ErrNotFound
	}
	changed, err := setActive(tx, s.Key, id, active)
	if err != nil || !changed {
		return err
	}
	return newVersion(tx, s.Key, id)
}

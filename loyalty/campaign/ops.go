package campaign

import (
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/level"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/picture"
	"punchcard/platform/search"
)

// Draft is a campaign to create or replace, with its codes.
type Draft struct {
	Campaign
	Codes     []string
	KeepCodes bool // the list of codes stays as it is; Codes is empty

	// SaidEverybody is set if it was said whether the campaign is for everybody. Otherwise, one that is stays so if its
	// levels are all of the store's.
	SaidEverybody bool
}

// Create adds a campaign and returns its id.
func Create(tx *db.Tx, s *store.Store, draft Draft) (string, error) {
	c := draft.Campaign
	c.StoreKey, c.ID, c.Version, c.CreatedAt = s.Key, tx.NewID(), 1, tx.Now()
	if err := c.complete(tx, draft.Codes, nil); err != nil {
		return "", err
	}
	list, last := arrange(draft.Codes, nil, 1, c.SingleCoupon)
	if err := save(tx, &c); err != nil {
		return "", err
	}
	k := Counters{StoreKey: s.Key, CampaignID: c.ID, Version: c.Version, NextPosition: 1, LastPosition: last}
	if err := counterTable.Insert(tx, &k); err != nil {
		return "", err
	}
	if err := saveCodes(tx, &c, nil, list); err != nil {
		return "", err
	}
	return c.ID, search.Put(tx, s.Key, SearchKind, c.document())
}

// Update replaces everything but the id, photos and brand icon of a campaign, and adds photos. Its lock excludes
// concurrent purchases. It returns RemovedCodes if sold codes are missing from the list.
func (k *Catalogue) Update(tx *db.Tx, s *store.Store, id string, draft Draft, photos ...picture.Picture) error {
	old, counters, err := k.lock(tx, s.Key, id)
	if err != nil {
		return err
	}
	c := draft.Campaign
	c.StoreKey, c.ID, c.Version, c.CreatedAt = s.Key, id, counters.Version+1, old.CreatedAt
	c.Definition.Photos, c.Definition.Icon = old.Definition.Photos, old.Definition.Icon
	if !c.Active {
		c.ArchivedAt = old.ArchivedAt
	}
	if !draft.SaidEverybody && old.Definition.Everybody {
		all, err := level.AreAll(tx, s.Key, c.Definition.Levels)
		if err != nil {
			return err
		}
		if all {
			c.Definition.Everybody, c.Definition.Levels = true, nil
		}
	}
	if err := c.complete(tx, draft.Codes, old.Definition.Translations); err != nil {
		return err
	}
	counters.Version = c.Version
	if !draft.KeepCodes || !old.HasCodes() {
		if counters.LastPosition, err = replaceCodes(tx, &c, draft, counters.NextPosition); err != nil {
			return err
		}
	}
	for _, photo := range photos[:min(len(photos), PhotoLimit-len(c.Definition.Photos))] {
		if err := c.addPhoto(tx, photo); err != nil {
			return err
		}
	}
	if err := save(tx, &c); err != nil {
		return err
	}
	if err := redefine(tx, counters); err != nil {
		return err
	}
	return search.Put(tx, s.Key, SearchKind, c.document())
}

// replaceCodes replaces the list of codes of a campaign, and returns the last position that can be sold.
func replaceCodes(tx *db.Tx, c *Campaign, draft Draft, next int64) (last int64, err error) {
	old, err := codeList(tx, c.StoreKey, c.ID)
	if err != nil {
		return 0, err
	}
	codes := draft.Codes
	if draft.KeepCodes {
		for i := range old {
			codes = append(codes, old[i].code)
		}
	}
	list, last, err := rearrange(old, c, codes, next)
	if err != nil {
		return 0, err
	}
	return last, saveCodes(tx, c, old, list)
}

// complete sets derived fields: the single code, and the ids of translations. The translation of a language keeps its
// id.
func (c *Campaign) complete(tx *db.Tx, codes []string, old []Translation) error {
	if c.SingleCoupon && len(codes) > 0 {
		c.Definition.SingleCode = codes[0]
	}
	c.Definition.Translations = slices.Clone(c.Definition.Translations)
	var added []*Translation
	for i := range c.Definition.Translations {
		t := &c.Definition.Translations[i]
		known := slices.IndexFunc(old, func(o Translation) bool { return o.Locale == t.Locale })
		if known < 0 {
			added = append(added, t)
		} else {
			t.ID = old[known].ID
		}
	}
	first, err := store.TranslationIDs(tx, len(added))
	for i, t := range added {
		t.ID = first + int64(i)
	}
	return err
}

// SetActive activates or deactivates a campaign. Repeating it has no further effect. It waits for purchases in
// progress, so that none succeeds after a deactivation.
func (k *Catalogue) SetActive(tx *db.Tx, s *store.Store, id string, active bool) error {
	c, counters, err := k.lock(tx, s.Key, id)
	if err != nil || c.Active == active {
		return err
	}
	if c.Active = active; active {
		c.ArchivedAt = time.Time{}
	}
	return writeCampaign(tx, c, counters)
}

// SetArchived archives a campaign, which deactivates it, or restores it as an inactive one. Lists leave out archived
// campaigns unless they are asked for. What was bought stays as it is.
func (k *Catalogue) SetArchived(tx *db.Tx, s *store.Store, id string, archived bool) error {
	c, counters, err := k.lock(tx, s.Key, id)
	if err != nil || archived != c.ArchivedAt.IsZero() {
		return err
	}
	c.ArchivedAt = time.Time{}
	if archived {
		c.Active, c.ArchivedAt = false, tx.Now()
	}
	return writeCampaign(tx, c, counters)
}

// lock returns a campaign, and locks its counters until the operation ends.
func (k *Catalogue) lock(tx *db.Tx, storeKey int64, id string) (*Campaign, Counters, error) {
	locked, err := LockCounters(tx, storeKey, id)
	if err != nil {
		return nil, Counters{}, err
	}
	counters, found := locked[id]
	if !found {
		return nil, Counters{}, fault.ErrNotFound
	}
	byID, err := k.FindAll(tx, storeKey, id)
	return byID[id], counters, err
}

// writeCampaign writes the row of a locked campaign with a new version, so that every node reads it again before its
// next purchase.
func writeCampaign(tx *db.Tx, c *Campaign, k Counters) error {
	k.Version++
	c.Version = k.Version
	if err := saveRow(tx, c); err != nil {
		return err
	}
	return redefine(tx, k)
}

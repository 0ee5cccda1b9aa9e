package campaign

import (
	"slices"

	"punchcard/platform/db"
	"punchcard/platform/search"
)

// walkedAtOnce is the number of campaigns that DropLocale reads with one statement.
const walkedAtOnce = 100

// DropLocale removes the texts in a language from a store's campaigns and their lookup rows. It locks the campaigns
// that have any, in order of ids like every operation.
func (k *Catalogue) DropLocale(tx *db.Tx, storeKey int64, code string) error {
	for after, n := "", walkedAtOnce; n == walkedAtOnce; {
		found, err := k.Types.read(tx, `SELECT * FROM campaigns
			WHERE store_id = ? AND campaign_id > ? ORDER BY campaign_id LIMIT ?`, storeKey, after, walkedAtOnce)
		if err != nil {
			return err
		}
		n = len(found)
		for i := range found {
			after = found[i].ID
			if found[i].without(code) {
				if err := k.dropLocale(tx, storeKey, after, code); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (k *Catalogue) dropLocale(tx *db.Tx, storeKey int64, id, code string) error {
	c, counters, err := k.lock(tx, storeKey, id)
	if err != nil || !c.without(code) {
		return err
	}
	counters.Version++
	c.Version = counters.Version
	if err := save(tx, c); err != nil {
		return err
	}
	if err := redefine(tx, counters); err != nil {
		return err
	}
	return search.Put(tx, storeKey, SearchKind, c.document())
}

// without removes the texts in a language, and reports whether there were any.
func (c *Campaign) without(code string) bool {
	before := len(c.Definition.Translations)
	c.Definition.Translations = slices.DeleteFunc(c.Definition.Translations,
		func(t Translation) bool { return t.Locale == code })
	return len(c.Definition.Translations) < before
}

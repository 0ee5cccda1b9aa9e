package category

import (
	"slices"

	"punchcard/platform/db"
)

// DropLocale removes the names in a language from all categories of a store.
func DropLocale(tx *db.Tx, storeKey int64, code string) error {
	categories, err := lockAll(tx, storeKey)
	if err != nil {
		return err
	}
	for i := range categories {
		c := &categories[i]
		before := len(c.Translations)
		c.Translations = slices.DeleteFunc(c.Translations, func(t Translation) bool { return t.Locale == code })
		if len(c.Translations) == before {
			continue
		}
		if err := updateCategory(tx, c); err != nil {
			return err
		}
	}
	return nil
}

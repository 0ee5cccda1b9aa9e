package level

import (
	"slices"

	"punchcard/platform/db"
)

// DropLocale removes the texts in a language from a store's levels.
func DropLocale(tx *db.Tx, storeKey int64, code string) error {
	levels, err := lockAll(tx, storeKey)
	if err != nil {
		return err
	}
	for i := range levels {
		l := &levels[i]
		before := len(l.Translations)
		l.Translations = slices.DeleteFunc(l.Translations, func(t Translation) bool { return t.Locale == code })
		if len(l.Translations) == before {
			continue
		}
		if err := updateLevel(tx, l); err != nil {
			return err
		}
	}
	return nil
}

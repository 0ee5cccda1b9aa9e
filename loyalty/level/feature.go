package level

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns levels. See docs/behaviour/levels.md.
func Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Levels",
			Description: "The tiers that customers reach by points or purchases."},
		Endpoints: Endpoints(),
		On: []feature.Reaction{feature.On(func(tx *db.Tx, s *store.Store, e storeapi.LanguageRemoved) error {
			return DropLocale(tx, s.Key, e.Code)
		})},
		Rules:  Rules(),
		Tables: []check.Table{Levels},
		Objects: map[string]audit.Object{"level": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			all, err := All(tx, of.Key)
			return Find(all, id), err
		}},
	}
}

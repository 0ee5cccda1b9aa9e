package category

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/storeapi"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns categories of campaigns. See docs/behaviour/categories.md.
func Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Campaign categories",
			Description: "Groups of campaigns that clients can filter by."},
		Endpoints: Endpoints(),
		On: []feature.Reaction{feature.On(func(tx *db.Tx, s *store.Store, e storeapi.LanguageRemoved) error {
			return DropLocale(tx, s.Key, e.Code)
		})},
		Rules:  Rules(),
		Tables: []check.Table{Categories},
		Objects: map[string]audit.Object{"campaignCategory": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			return Audited(tx, of.Key, id)
		}},
		Limits: []feature.Limit{
			{Name: "categories", Value: Limit, Unit: "categories"},
		},
	}
}

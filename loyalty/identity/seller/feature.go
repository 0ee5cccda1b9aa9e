package seller

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns sellers. See docs/behaviour/sellers.md.
func Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Sellers",
			Description: "The people who serve customers at a point of sale."},
		Endpoints: Endpoints(),
		Rules:     Rules(),
		Tables:    []check.Table{Sellers},
		Objects: map[string]audit.Object{"seller": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			found, _, err := FindByID(tx, of.Key, id)
			return found, err
		}},
	}
}

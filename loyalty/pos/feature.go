package pos

import (
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns points of sale. See docs/behaviour/points-of-sale.md.
func Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Points of sale",
			Description: "The shops and checkouts of a store."},
		Endpoints: Endpoints(),
		Rules:     Rules(),
		Tables:    []check.Table{PointsOfSale},
		Objects: map[string]audit.Object{"pos": func(tx *db.Tx, of *store.Store, id string) (any, error) {
			p, _, err := Find(tx, of.Key, id)
			return p.Details, err
		}},
	}
}

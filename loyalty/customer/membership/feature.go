package membership

import (
	"punchcard/core/feature"
	"punchcard/core/store"
)

// Feature returns the level and the points of a customer. See docs/behaviour/levels.md.
func Feature() feature.Feature {
	return feature.Feature{
		Section:   feature.Section{Name: "Customers"},
		Endpoints: Endpoints(),
		StoreJobs: []store.Job{{Name: "levels", Work: RecheckLevels}},
	}
}

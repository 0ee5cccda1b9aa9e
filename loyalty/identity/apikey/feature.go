package apikey

import (
	"time"

	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Feature returns keys for programs. See docs/behaviour/keys.md.
func Feature(uses *Uses) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Keys for programs",
			Description: "Keys by which programs call this API with some of the rights of an administrator."},
		Endpoints: Endpoints(uses),
		Rules:     Rules(),
		Limits: []feature.Limit{
			{Name: "keysOfAdministrator", Value: madeLimit, Unit: "keys"},
			{Name: "keyName", Value: nameLimit, Unit: "characters"},
			{Name: "keyStores", Value: storesLimit, Unit: "stores"},
			{Name: "keyAddresses", Value: networks, Unit: "networks"},
			{Name: "keyRequests", Value: fastest, Unit: "requests per minute"},
			{Name: "keyOverlap", Value: int64(maxOverlap / time.Hour), Unit: "hours"},
			feature.Seconds("keyUseApart", usesApart, ""),
		},
		Objects: map[string]audit.Object{"key": func(tx *db.Tx, _ *store.Store, id string) (any, error) {
			return audit.OrNone(Find(tx, id))
		}},
	}
}

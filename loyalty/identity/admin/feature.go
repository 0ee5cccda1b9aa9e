package admin

import (
	"strconv"

	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Feature returns administrators and roles. See docs/behaviour/administrators.md.
func Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Administrators",
			Description: "Administrators and integrations, and the roles that say what they may view and modify."},
		Endpoints: Endpoints(),
		Rules:     Rules(),
		Objects: map[string]audit.Object{
			"admin": func(tx *db.Tx, _ *store.Store, id string) (any, error) { return audit.OrNone(FindByID(tx, id)) },
			"role": func(tx *db.Tx, _ *store.Store, id string) (any, error) {
				number, _ := strconv.ParseInt(id, 10, 64) // 0 is no role
				return audit.OrNone(FindRole(tx, number))
			},
		},
	}
}

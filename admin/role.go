package admin

import (
	"punchcard/access"
	"punchcard/platform/db"
)

// Role is what an administrator may do.
type Role struct {
	ID          int64
	Name        string
	Master      bool                // everything, whatever Permissions say
	Default     bool                // what an administrator gets when no role is named
	Permissions map[string][]string // resource to accesses
}

// The ids of the roles that every installation has.
const (
	SuperAdmin    int64 = 1
	ReporterAdmin int64 = 2
	FullAdmin     int64 = 3
)

// CreateRoles adds the roles that every installation has; those that exist stay as they are. The
// default one can change nothing.
func CreateRoles(tx *db.Tx) error {
	return insertRoles(tx,
		Role{ID: SuperAdmin, Name: "Super admin", Master: true, Permissions: map[string][]string{}},
		Role{ID: ReporterAdmin, Name: "Reporter admin", Default: true, Permissions: everywhere(access.View)},
		Role{ID: FullAdmin, Name: "Full admin", Permissions: everywhere(access.Modify)},
	)
}

func everywhere(granted string) map[string][]string {
	permissions := make(map[string][]string, len(access.Resources))
	for _, resource := range access.Resources {
		permissions[resource] = []string{granted}
	}
	return permissions
}

package admin

import (
	"slices"

	"punchcard/core/access"
	"punchcard/loyalty/identity/factor"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Role is a set of permissions of administrators.
type Role struct {
	ID          int64
	Name        string
	Master      bool                // has all rights; Permissions are ignored
	Default     bool                // for administrators without a named role
	Permissions map[string][]string // resource to granted accesses
}

// The ids of the roles that every installation has.
const (
	SuperAdmin    int64 = 1
	ReporterAdmin int64 = 2
	FullAdmin     int64 = 3
)

// Errors of changing or removing a role.
var (
	ErrMasterRole    = fault.New(fault.Refused, "master_role_required", "The master role cannot be removed.")
	ErrDefaultRole   = fault.New(fault.Refused, "default_role_required", "The default role cannot be removed.")
	ErrRoleInUse     = fault.New(fault.Refused, "role_in_use", "The role is still in use.")
	ErrMasterDefault = fault.New(fault.Refused, "master_role_as_default", "The master role cannot be the default one.")
)

// CreateRoles adds the roles that every installation has, except those that exist. The default role has no right to
// change anything. Only the master role has the right to change security settings.
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
		if resource != access.Security {
			permissions[resource] = []string{granted}
		}
	}
	return permissions
}

// Within returns whether the role has no right that the caller lacks. Callers cannot give rights that they lack.
func (r *Role) Within(by *access.Caller) bool {
	if by.Master || r.Master {
		return by.Master
	}
	for resource, granted := range r.Permissions {
		if slices.ContainsFunc(granted, func(a string) bool { return !by.Allowed(resource, a) }) {
			return false
		}
	}
	return true
}

// AddRole adds a role. A new default role replaces the former one. The error is fault.ErrForbidden if the role has
// rights that the caller lacks, and ErrTaken if another role has the name.
func AddRole(tx *db.Tx, by *access.Caller, r Role) error {
	roles, err := lockedRoles(tx)
	if err != nil {
		return err
	}
	for i := range roles {
		r.ID = max(r.ID, roles[i].ID+1)
	}
	if err := r.check(roles, by); err != nil {
		return err
	}
	if err := insertRoles(tx, r); err != nil {
		return err
	}
	return r.replaceDefault(tx)
}

// ChangeRole replaces the name and the permissions of a role, with the same errors as AddRole, and returns the ids of
// the administrators who have it. The master role keeps all rights, and the default role stays the default until
// another one becomes it. The error is fault.ErrNotFound for an unknown role.
func ChangeRole(tx *db.Tx, by *access.Caller, r Role) (holding []string, err error) {
	roles, err := lockedRoles(tx)
	if err != nil {
		return nil, err
	}
	former, err := pick(roles, r.ID)
	if err != nil {
		return nil, err
	}
	if !former.Within(by) {
		return nil, fault.ErrForbidden
	}
	if former.Master {
		r.Master, r.Permissions = true, former.Permissions
	}
	r.Default = r.Default || former.Default
	if err := r.check(roles, by); err != nil {
		return nil, err
	}
	if err := updateRole(tx, &r); err != nil {
		return nil, err
	}
	if err := r.replaceDefault(tx); err != nil {
		return nil, err
	}
	return holders(tx, r.ID)
}

// RemoveRole removes a role that no administrator has.
func RemoveRole(tx *db.Tx, by *access.Caller, id int64) error {
	roles, err := lockedRoles(tx)
	if err != nil {
		return err
	}
	r, err := pick(roles, id)
	if err != nil {
		return err
	}
	holding, err := holders(tx, id)
	switch {
	case err != nil:
		return err
	case !r.Within(by):
		return fault.ErrForbidden
	case r.Master:
		return ErrMasterRole
	case r.Default:
		return ErrDefaultRole
	case len(holding) > 0:
		return ErrRoleInUse
	}
	if err := factor.RemoveRule(tx, 0, id); err != nil { // a new role can get the same id
		return err
	}
	return deleteRole(tx, id)
}

func lockedRoles(tx *db.Tx) ([]Role, error) {
	if err := LockRoles(tx); err != nil {
		return nil, err
	}
	return allRoles(tx, "role_id")
}

func pick(roles []Role, id int64) (*Role, error) {
	for i := range roles {
		if roles[i].ID == id {
			return &roles[i], nil
		}
	}
	return nil, fault.ErrNotFound
}

// check validates a role against the other roles.
func (r *Role) check(roles []Role, by *access.Caller) error {
	for i := range roles {
		if roles[i].Name == r.Name && roles[i].ID != r.ID {
			return ErrTaken
		}
	}
	switch {
	case !r.Within(by):
		return fault.ErrForbidden
	case r.Master && r.Default:
		return ErrMasterDefault
	}
	return nil
}

func (r *Role) replaceDefault(tx *db.Tx) error {
	if !r.Default {
		return nil
	}
	return unmarkOtherRoles(tx, r.ID)
}

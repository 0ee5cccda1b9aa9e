package admin

import (
	"slices"

	"punchcard/core/access"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// StoreRole is the role of an administrator in one store. Administrators who have any have no rights elsewhere.
type StoreRole struct {
	StoreKey int64
	RoleID   int64
}

// Errors of roles in stores.
var (
	errStoreRoles = fault.New(fault.Fields, "store_roles_not_valid",
		"Each store can have one role, whose rights you have yourself.")
	errBothRoles = fault.New(fault.Fields, "role_beside_store_roles",
		"An administrator with roles in stores has no role in all stores.")
	errElsewhere = fault.New(fault.Fields, "role_outside_only_store",
		"The identity provider of a store signs this administrator in: they have a role in that store alone.")
)

// Permissions returns what the roles of an administrator allow: in all stores, or in each store by its key if they have
// roles in stores only.
func (a *Administrator) Permissions(tx *db.Tx) (everywhere Role, inStores map[int64]map[string][]string, err error) {
	if a.RoleID != 0 {
		everywhere, _, err = FindRole(tx, a.RoleID)
		return everywhere, nil, err
	}
	roles, err := allRoles(tx, "role_id")
	inStores = map[int64]map[string][]string{}
	for _, in := range a.StoreRoles {
		if r, err := pick(roles, in.RoleID); err == nil && !r.Master {
			inStores[in.StoreKey] = r.Permissions
		}
	}
	return Role{}, inStores, err
}

// withStoreRoles reads the roles in stores of an administrator who was found.
func withStoreRoles(tx *db.Tx, a Administrator, found bool, err error) (Administrator, bool, error) {
	if err != nil || !found || a.RoleID != 0 {
		return a, found, err
	}
	of, err := storeRolesOf(tx, a.ID)
	a.StoreRoles = of[a.ID]
	return a, true, err
}

// takeStoreRoles replaces the roles in stores. An unknown store has the key 0, which checkStoreRoles refuses.
func (a *Administrator) takeStoreRoles(tx *db.Tx, wanted []RoleIn) error {
	a.StoreRoles = nil
	for _, in := range wanted {
		role := StoreRole{RoleID: in.RoleID}
		s, found, err := store.ByID(tx, in.StoreID)
		if err != nil {
			return err
		}
		if found {
			role.StoreKey = s.Key
		}
		a.StoreRoles = append(a.StoreRoles, role)
	}
	return nil
}

// checkStoreRoles sets the fields that are refused because of the roles in stores. The caller gives only rights that
// they have in all stores. The master role counts in all stores or not at all.
func (a *Administrator) checkStoreRoles(tx *db.Tx, by *access.Caller, refused *Refused) error {
	refused.BothRoles = a.RoleID != 0
	roles, err := allRoles(tx, "role_id")
	if err != nil {
		return err
	}
	known := map[int64]bool{}
	for _, in := range a.StoreRoles {
		r, err := pick(roles, in.RoleID)
		if err != nil || r.Master || !r.Within(by) || in.StoreKey == 0 || known[in.StoreKey] {
			refused.StoreRoles = true
		}
		known[in.StoreKey] = true
	}
	return nil
}

// reachesElsewhere reports whether the account has rights outside of the only store that it may have rights in.
func (a *Administrator) reachesElsewhere() bool {
	return a.OnlyStore != 0 && (a.RoleID != 0 || slices.ContainsFunc(a.StoreRoles,
		func(in StoreRole) bool { return in.StoreKey != a.OnlyStore }))
}

// equalRoles reports whether two administrators have the same rights.
func equalRoles(a, b *Administrator) bool {
	return a.RoleID == b.RoleID && slices.Equal(sorted(a.StoreRoles), sorted(b.StoreRoles))
}

func sorted(roles []StoreRole) []StoreRole {
	return slices.SortedFunc(slices.Values(roles), func(a, b StoreRole) int { return int(a.StoreKey - b.StoreKey) })
}

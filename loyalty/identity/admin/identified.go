package admin

import (
	"punchcard/core/access"
	"punchcard/platform/db"
)

// CreateIdentified adds a person whom an identity provider signs in. They have no password, so that no password opens
// the account. It returns ErrTaken if another administrator has the e-mail address. The caller holds LockRoles.
func CreateIdentified(tx *db.Tx, in New) (Administrator, error) {
	a := Administrator{
		ID: tx.NewID(), Email: fold(in.Email), FirstName: in.FirstName, LastName: in.LastName, Active: in.Active,
		RoleID: in.RoleID, StoreRoles: in.StoreRoles, OnlyStore: in.OnlyStore, CreatedAt: tx.Now(),
	}
	a.Username = a.ID
	if err := insertAdministrator(tx, &a); err != nil {
		return Administrator{}, err
	}
	return a, replaceStoreRoles(tx, &a)
}

// GiveRoles gives an administrator other roles by their groups: one in all stores, or some in stores. Masters stay
// masters: no group makes or unmakes one. The caller holds LockRoles.
func GiveRoles(tx *db.Tx, a *Administrator, roleID int64, inStores []StoreRole) (changed bool, err error) {
	role, _, err := FindRole(tx, a.RoleID)
	if err != nil || role.Master || equalRoles(a, &Administrator{RoleID: roleID, StoreRoles: inStores}) {
		return false, err
	}
	a.RoleID, a.StoreRoles = roleID, inStores
	return true, updateAdministrator(tx, a)
}

// RolesWithin lists the roles that a caller may give in stores, by name.
func RolesWithin(tx *db.Tx, by *access.Caller) (within []Role, err error) {
	all, err := allRoles(tx, "name_order, role_id")
	for i := range all {
		if !all[i].Master && all[i].Within(by) {
			within = append(within, all[i])
		}
	}
	return within, err
}

// SetIdentified records the time of a log-in of an administrator whom an identity provider has signed in.
func SetIdentified(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE administrators SET last_login_at = ? WHERE admin_id = ?`, tx.Now().UnixMicro(), id)
	return err
}

package admin

import "punchcard/platform/db"

// CreateIdentified adds a person whom an identity provider signs in. They have no password, so that no password opens
// the account. It returns ErrTaken if another administrator has the e-mail address. The caller holds LockRoles.
func CreateIdentified(tx *db.Tx, in New) (Administrator, error) {
	a := Administrator{
		ID: tx.NewID(), Email: fold(in.Email), FirstName: in.FirstName, LastName: in.LastName,
		Active: in.Active, RoleID: in.RoleID, CreatedAt: tx.Now(),
	}
	a.Username = a.ID
	return a, insertAdministrator(tx, &a)
}

// GiveRole gives an administrator another role by their groups. Masters stay masters: no group makes or unmakes one.
// The caller holds LockRoles.
func GiveRole(tx *db.Tx, a *Administrator, roleID int64) (changed bool, err error) {
	role, _, err := FindRole(tx, a.RoleID)
	if err != nil || role.Master || a.RoleID == roleID {
		return false, err
	}
	a.RoleID = roleID
	return true, updateAdministrator(tx, a)
}

// SetIdentified records the time of a log-in of an administrator whom an identity provider has signed in.
func SetIdentified(tx *db.Tx, id string) error {
	_, err := tx.Exec(`UPDATE administrators SET last_login_at = $2 WHERE admin_id = $1`, id, tx.Now().UnixMicro())
	return err
}

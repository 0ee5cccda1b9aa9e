package admin

import (
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Data are the fields that administrators can change of each other.
type Data struct {
	Email                string
	FirstName, LastName  string
	Phone                string
	PasswordHash         string // of a person; empty keeps the present one
	APIKey               string // of an integration; empty keeps the one it has
	Active               bool
	NotificationsEnabled bool
	RoleID               int64 // 0 for the default role
	StoreRoles           []RoleIn
	KeepStoreRoles       bool // ignores StoreRoles
}

// RoleIn is a role to give in a store, by the id that clients know.
type RoleIn struct {
	StoreID string
	RoleID  int64
}

// Refused marks the fields of an administrator that an operation refused.
type Refused struct {
	EmailTaken, KeyTaken bool
	RoleUnknown          bool // or it has more rights than the caller
	StoreRoles           bool // one is not valid, or has more rights than the caller
	BothRoles            bool // a role in all stores, beside those in stores
	Elsewhere            bool // a role outside of the only store of the account
	OwnSwitch, OwnRole   bool // callers cannot deactivate themselves or change their own role
}

// Error describes the error for logs. Clients get an error at each refused field.
func (r *Refused) Error() string { return "the administrator is refused by a field" }

// ErrLastMaster means that no active administrator with all rights would remain.
var ErrLastMaster = fault.New(fault.Refused, "last_master_administrator",
	"One active master administrator must remain.")

// Add adds an integration if there is a key, and a person otherwise. The caller cannot give a role with more rights
// than their own. A *Refused error names the refused fields.
func Add(tx *db.Tx, by *access.Caller, in Data) (Administrator, error) {
	return add(tx, by, in, time.Time{})
}

func add(tx *db.Tx, by *access.Caller, in Data, invitedUntil time.Time) (Administrator, error) {
	if err := LockRoles(tx); err != nil {
		return Administrator{}, err
	}
	a := Administrator{Email: fold(in.Email), RoleID: in.RoleID}
	if err := a.takeStoreRoles(tx, in.StoreRoles); err != nil {
		return Administrator{}, err
	}
	if in.APIKey != "" {
		a.setKey(in.APIKey)
	}
	refused, err := a.inTheWay(tx, by)
	if err == nil && *refused != (Refused{}) {
		err = refused
	}
	if err != nil {
		return Administrator{}, err
	}
	return Create(tx, New{
		Email: in.Email, FirstName: in.FirstName, LastName: in.LastName, Phone: in.Phone, PasswordHash: in.PasswordHash,
		APIKey: in.APIKey, Active: in.Active, NotificationsEnabled: in.NotificationsEnabled, RoleID: a.RoleID,
		StoreRoles: a.StoreRoles, InvitedUntil: invitedUntil,
	})
}

// Change replaces an administrator's data. Without the permission to change administrators, callers change only their
// own names, phone, e-mail address and password. ended means that the sessions of the administrator must end. The
// error is fault.ErrNotFound for an unknown administrator, and fault.ErrForbidden for one with more rights than the
// caller.
func Change(tx *db.Tx, by *access.Caller, id string, in Data) (ended bool, err error) {
	if err := LockRoles(tx); err != nil {
		return false, err
	}
	if err := lockAdministrator(tx, id); err != nil {
		return false, err
	}
	a, found, err := FindByID(tx, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return false, err
	}
	before, own := a, by.ID == id
	if !own {
		if err := a.mayManage(tx, by); err != nil {
			return false, err
		}
	}
	a.Email, a.FirstName, a.LastName, a.Phone = fold(in.Email), in.FirstName, in.LastName, in.Phone
	if in.PasswordHash != "" && !a.External {
		a.PasswordHash, a.InvitedUntil = in.PasswordHash, time.Time{}
	}
	if by.Allowed(access.Admin, access.Modify) {
		a.Active, a.NotificationsEnabled, a.RoleID = in.Active, in.NotificationsEnabled, in.RoleID
		if !in.KeepStoreRoles {
			if err := a.takeStoreRoles(tx, in.StoreRoles); err != nil {
				return false, err
			}
		}
		if in.APIKey != "" && a.External {
			a.setKey(in.APIKey)
		}
	}
	if a.IsInvited() && (!a.Active || a.Email != before.Email) && tx.Now().Before(a.InvitedUntil) {
		a.InvitedUntil = tx.Now() // the link no longer works
	}
	if err := a.permit(tx, by, &before); err != nil {
		return false, err
	}
	ended = a.PasswordHash != before.PasswordHash || a.apiKeyHash != before.apiKeyHash || before.Active && !a.Active
	return ended, updateAdministrator(tx, &a)
}

// permit checks a change of before into a, and fills in the role if there is none.
func (a *Administrator) permit(tx *db.Tx, by *access.Caller, before *Administrator) error {
	own := by.ID == a.ID
	if own && a.RoleID == 0 {
		a.RoleID = before.RoleID
	}
	refused := &Refused{}
	var err error
	if equalRoles(a, before) {
		refused, err = a.taken(tx)
	} else {
		refused, err = a.inTheWay(tx, by)
	}
	if err != nil {
		return err
	}
	refused.Elsewhere = a.reachesElsewhere()
	refused.OwnSwitch = own && before.Active && !a.Active
	refused.OwnRole = own && !equalRoles(a, before)
	if *refused != (Refused{}) {
		return refused
	}
	was, err := before.isMaster(tx)
	if err != nil || !was {
		return err
	}
	is, err := a.isMaster(tx)
	if err != nil || is {
		return err
	}
	others, err := activeMasters(tx, a.ID)
	if err == nil && others == 0 {
		err = ErrLastMaster
	}
	return err
}

// isMaster returns whether the administrator is an active person with all rights and a password.
func (a *Administrator) isMaster(tx *db.Tx) (bool, error) {
	role, _, err := FindRole(tx, a.RoleID)
	return role.Master && a.Active && !a.External && a.PasswordHash != "", err
}

// inTheWay checks the unique fields and the role. It sets the default role if there is none.
func (a *Administrator) inTheWay(tx *db.Tx, by *access.Caller) (*Refused, error) {
	refused, err := a.taken(tx)
	if err != nil {
		return refused, err
	}
	if len(a.StoreRoles) > 0 {
		return refused, a.checkStoreRoles(tx, by, refused)
	}
	roles, err := allRoles(tx, "role_id")
	refused.RoleUnknown = true
	for i := range roles {
		if r := &roles[i]; r.ID == a.RoleID || a.RoleID == 0 && r.Default {
			a.RoleID, refused.RoleUnknown = r.ID, !r.Within(by)
			break
		}
	}
	return refused, err
}

func (a *Administrator) taken(tx *db.Tx) (*Refused, error) {
	fields, err := takenFields(tx, a)
	var refused Refused
	for _, field := range fields {
		switch field {
		case "email":
			refused.EmailTaken = true
		case "key":
			refused.KeyTaken = true
		}
	}
	return &refused, err
}

// mayManage refuses the change of an administrator with more rights than the caller.
func (a *Administrator) mayManage(tx *db.Tx, by *access.Caller) error {
	role, inStores, err := a.Permissions(tx)
	if err != nil {
		return err
	}
	roles := []Role{role}
	for _, permissions := range inStores {
		roles = append(roles, Role{Permissions: permissions})
	}
	for i := range roles {
		if !roles[i].Within(by) {
			return fault.ErrForbidden
		}
	}
	return nil
}

// CheckManages returns fault.ErrForbidden if the administrator has more rights than the caller, and fault.ErrNotFound
// if there is none with the id.
func CheckManages(tx *db.Tx, by *access.Caller, id string) error {
	a, found, err := FindByID(tx, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil {
		return err
	}
	return a.mayManage(tx, by)
}

// CheckManagesRole is CheckManages for a role.
func CheckManagesRole(tx *db.Tx, by *access.Caller, roleID int64) error {
	role, found, err := FindRole(tx, roleID)
	switch {
	case err != nil:
		return err
	case !found:
		return fault.ErrNotFound
	case !role.Within(by):
		return fault.ErrForbidden
	}
	return nil
}

package admin

import (
	"time"

	"punchcard/core/access"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrAccepted means that an invitation has been accepted, or never existed.
var ErrAccepted = fault.New(fault.Refused, "not_invited", "This administrator has no open invitation.")

// IsInvited reports whether the administrator has not accepted the invitation yet, expired or not.
func (a *Administrator) IsInvited() bool {
	return !a.External && a.PasswordHash == "" && !a.InvitedUntil.IsZero()
}

// Invite adds a person who chooses a password by a link until the given time. It refuses what Add refuses.
func Invite(tx *db.Tx, by *access.Caller, in Data, until time.Time) (Administrator, error) {
	in.Active = true
	return add(tx, by, in, until)
}

// InviteAgain gives an invited administrator time until a new moment.
func InviteAgain(tx *db.Tx, by *access.Caller, id string, until time.Time) (Administrator, error) {
	a, err := invited(tx, by, id)
	if err == nil && !a.Active {
		err = ErrAccepted
	}
	if err != nil {
		return a, err
	}
	a.InvitedUntil = until
	return a, updateAdministrator(tx, &a)
}

// Withdraw removes an administrator who has not accepted the invitation. Nothing refers to them, because they have
// done nothing.
func Withdraw(tx *db.Tx, by *access.Caller, id string) error {
	a, err := invited(tx, by, id)
	if err != nil {
		return err
	}
	if err := deleteStoreRoles(tx, a.ID); err != nil {
		return err
	}
	return deleteInvited(tx, a.ID)
}

// invited locks and reads an administrator with an open invitation whom the caller may manage. One who accepts it at
// the same time comes before or after.
func invited(tx *db.Tx, by *access.Caller, id string) (Administrator, error) {
	if err := LockRoles(tx); err != nil {
		return Administrator{}, err
	}
	if err := lockAdministrator(tx, id); err != nil {
		return Administrator{}, err
	}
	a, found, err := FindByID(tx, id)
	switch {
	case err != nil:
		return a, err
	case !found:
		return a, fault.ErrNotFound
	}
	if err := a.mayManage(tx, by); err != nil {
		return a, err
	}
	if !a.IsInvited() {
		return a, ErrAccepted
	}
	return a, nil
}

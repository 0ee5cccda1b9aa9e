package auth

import (
	"punchcard/api/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
)

// findUser finds somebody who may be logged in now, active in their role. Of a blocked customer, who may not, it
// returns what their older tokens still allow.
func findUser(tx *db.Tx, role access.Role, storeKey int64, id string) (user, bool, error) {
	switch role {
	case access.Administrator:
		a, found, err := admin.FindByID(tx, id)
		if err != nil || !found || !a.Active || a.External {
			return user{}, false, err
		}
		caller, err := administrator(tx, &a)
		return user{caller, a.LastLoginAt}, err == nil, err
	case access.Seller:
		s, found, err := seller.FindByID(tx, storeKey, id)
		caller := access.Caller{Role: role, ID: s.ID, Username: s.Email, StoreKey: s.StoreKey}
		return user{caller, s.LastLoginAt}, found && s.Active, err
	case access.Customer:
		c, found, err := customer.FindLoginByID(tx, storeKey, id)
		caller := access.Caller{Role: role, ID: c.ID, Username: c.Username, StoreKey: c.StoreKey, Blocked: c.Blocked}
		return user{caller, c.LastLoginAt}, found && c.Active, err
	}
	return user{}, false, nil
}

// administrator is the caller for an administrator, with what the role allows now.
func administrator(tx *db.Tx, a *admin.Administrator) (access.Caller, error) {
	role, _, err := admin.FindRole(tx, a.RoleID)
	caller := access.Caller{
		Role: access.Administrator, ID: a.ID, Username: a.Username, Master: role.Master, Permanent: a.External,
	}
	if !role.Master {
		caller.Permissions = role.Permissions
	}
	return caller, err
}

// noteLogin sets the moment of a user's last log-in and locks their row. same is false when they are not
// active, or the password that was checked is not theirs, any more.
func noteLogin(tx *db.Tx, u *user, passwordHash string) (same bool, err error) {
	switch u.Role {
	case access.Administrator:
		return admin.SetLastLogin(tx, u.ID, passwordHash)
	case access.Seller:
		return seller.SetLastLogin(tx, u.StoreKey, u.ID, passwordHash)
	default:
		return customer.LoggedIn(tx, u.StoreKey, u.ID, passwordHash)
	}
}

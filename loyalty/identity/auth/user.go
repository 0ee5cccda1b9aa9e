package auth

import (
	"punchcard/core/access"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
)

// findUser finds an active user. For a blocked customer, who cannot log in, it returns false with the caller that
// older tokens still stand for.
func findUser(tx *db.Tx, role access.Role, storeKey int64, id string) (user, bool, error) {
	switch role {
	case access.Administrator:
		a, found, err := admin.FindByID(tx, id)
		if err != nil || !found || !a.Active || a.External {
			return user{}, false, err
		}
		caller, err := a.Caller(tx)
		return user{caller, a.LastLoginAt, a.RoleID, a.CreatedAt}, err == nil, err
	case access.Seller:
		s, found, err := seller.FindByID(tx, storeKey, id)
		caller := access.Caller{Role: role, ID: s.ID, Username: s.Email, StoreKey: s.StoreKey}
		return user{caller, s.LastLoginAt, 0, s.CreatedAt}, found && s.Active, err
	case access.Customer:
		c, found, err := customer.FindLoginByID(tx, storeKey, id)
		caller := access.Caller{Role: role, ID: c.ID, Username: c.Username, StoreKey: c.StoreKey, Blocked: c.Blocked}
		return user{Caller: caller, lastLoginAt: c.LastLoginAt}, found && c.Active, err
	}
	return user{}, false, nil
}

// noteLogin records the time of a user's log-in and locks their row. same is false if the user is no longer active
// or no longer has the password that was checked.
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

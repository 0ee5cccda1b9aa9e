package auth

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
	"punchcard/platform/password"
)

// setPassword replaces the password of a user; changed is false if their password is no longer former.
type setPassword func(tx *db.Tx, storeKey int64, id, former, hash string) (changed bool, err error)

func (a *Auth) passwordEndpoints() []api.Endpoint {
	given := api.BodyInCall("", a.readConfirmed, api.Reads(readPasswords))
	endpoint := func(path string, role access.Role, set setPassword) api.Endpoint {
		return api.Endpoint{
			Method: "POST", Path: path, Access: access.Only(role).Unenrolled(), Factor: api.Always,
			Do:      api.Write(api.Prepared(given, hashed), a.changePassword(set)).First(hasPassword),
			Summary: "Change one's own password",
			Audit:   api.Audited("ChangePassword", "password"), NoDryRun: api.HasPassword,
		}
	}
	return []api.Endpoint{
		endpoint("/api/{storeCode}/admin/password/change", access.Administrator, ofAdministrator),
		endpoint("/api/admin/password/change", access.Administrator, ofAdministrator),
		endpoint("/api/{storeCode}/customer/password/change", access.Customer, customer.SetPassword),
		endpoint("/api/{storeCode}/seller/password/change", access.Seller, seller.SetPassword),
	}
}

func ofAdministrator(tx *db.Tx, _ int64, id, former, hash string) (bool, error) {
	return admin.SetPassword(tx, id, former, hash)
}

type success struct {
	Success bool `json:"success"`
}

// errWrongPassword is the error of the field with the current password.
var errWrongPassword = fault.New(fault.Fields, "wrong_password", "This value should be the user's current password.")

type passwords struct{ current, next, former, hash string } // hash is of next, former of current

func readPasswords(g *form.Group) passwords {
	given := passwords{
		current: g.Verbatim("currentPassword", form.NotBlank), next: g.Verbatim("plainPassword", form.NotBlank),
	}
	if given.next != "" {
		for _, problem := range password.Problems(given.next, false) {
			g.AddError("plainPassword", problem)
		}
	}
	return given
}

// hasPassword refuses an integration, which has no password.
func hasPassword(c *api.Call) error {
	if c.Caller.Permanent {
		return fault.ErrForbidden
	}
	return nil
}

func (a *Auth) readConfirmed(c *api.Call, g *form.Group) (given passwords, err error) {
	given = readPasswords(g)
	given.former, err = a.confirm(c, g, given.current)
	return given, err
}

func hashed(c *api.Call, given passwords) (_ passwords, err error) {
	given.hash, err = password.Hash(c.ClientContext(), given.next)
	return given, err
}

// changePassword replaces the password of a caller who knows the current one. The caller's session lasts until its
// access token expires; the other sessions end. A wrong password counts as a failed log-in, so that a stolen token
// offers no way around the limits.
func (a *Auth) changePassword(set setPassword) func(w *api.Writing, given passwords) (success, error) {
	return func(w *api.Writing, given passwords) (success, error) {
		changed, err := set(w.Tx, w.Caller.StoreKey, w.Caller.ID, given.former, given.hash)
		if err == nil && !changed { // a concurrent request changed it
			err = w.Refuse("currentPassword", errWrongPassword)
		}
		if err == nil {
			err = a.End(w.Tx, w.Caller.ID, w.Caller.Session)
		}
		if err == nil && w.Caller.Role == access.Customer {
			err = feature.React(w.Tx, w.Store, PasswordChanged{w.Caller.ID})
		}
		return success{true}, err
	}
}

// Confirm reports whether the caller has confirmed who they are: by their password or, if none is given, by a session
// that began at an identity provider within StepUpLife. A wrong password becomes an error of the form, at the field
// currentPassword, and counts as a failed log-in.
func (a *Auth) Confirm(c *api.Call, group *form.Group, given string) (confirmed bool, err error) {
	if given != "" {
		hash, err := a.confirm(c, group, given)
		return hash != "", err
	}
	err = c.Read(func(tx *db.Tx) error {
		s, _, err := findSession(tx, c.Caller.Session)
		confirmed = tx.ServerNow().Before(s.identifiedUntil())
		return err
	})
	return confirmed, err
}

// confirm checks the given password and returns the caller's hash. A wrong password becomes an error of the form.
func (a *Auth) confirm(c *api.Call, group *form.Group, given string) (hash string, err error) {
	if given == "" {
		return "", nil // the form has an error for it
	}
	giveBack, err := a.countGuess(c, c.Caller.Role, account{id: c.Caller.ID}, "")
	if err != nil {
		return "", err
	}
	err = c.Read(func(tx *db.Tx) (err error) {
		hash, err = passwordHash(tx, c.Caller)
		return err
	})
	matches := false
	if err == nil {
		matches, err = password.Verify(c.ClientContext(), given, hash)
	}
	if err != nil || matches {
		giveBack()
		return hash, err
	}
	group.AddError("currentPassword", errWrongPassword)
	return "", nil
}

// passwordHash returns the stored hash of the caller's password. It is empty, which matches no password, if the
// caller was deleted.
func passwordHash(tx *db.Tx, caller *access.Caller) (string, error) {
	switch caller.Role {
	case access.Administrator:
		who, _, err := admin.FindByID(tx, caller.ID)
		return who.PasswordHash, err
	case access.Seller:
		who, _, err := seller.FindByID(tx, caller.StoreKey, caller.ID)
		return who.PasswordHash, err
	case access.Customer:
		who, _, err := customer.FindLoginByID(tx, caller.StoreKey, caller.ID)
		return who.PasswordHash, err
	}
	return "", nil
}

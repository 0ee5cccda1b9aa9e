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
	endpoint := func(path string, role access.Role, set setPassword) api.Endpoint {
		return api.Endpoint{
			Method: "POST", Path: path, Access: access.Only(role).Unenrolled(), Factor: api.Always,
			Handle:  func(c *api.Call) error { return a.changePassword(c, set) },
			Summary: "Change one's own password",
			Form:    api.Reads(readPasswords), Response: success{},
			Audit: api.Audited("ChangePassword", "password"), NoDryRun: api.HasPassword,
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

type passwords struct{ current, next string }

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

// changePassword replaces the password of a caller who knows the current one. The caller's session lasts until its
// access token expires; the other sessions end. A wrong password counts as a failed log-in, so that a stolen token
// offers no way around the limits.
func (a *Auth) changePassword(c *api.Call, set setPassword) error {
	if c.Caller.Permanent {
		return fault.ErrForbidden // an integration has no password
	}
	body, err := c.Body()
	if err != nil {
		return err
	}
	group := form.Read(body)
	given := readPasswords(group)
	former, err := a.confirm(c, group, given.current)
	if err != nil {
		return err
	}
	if err := group.Err(); err != nil {
		return err
	}
	hash, err := password.Hash(c.ClientContext(), given.next)
	if err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		changed, err := set(tx, c.Caller.StoreKey, c.Caller.ID, former, hash)
		if err != nil {
			return err
		}
		if !changed { // a concurrent request changed it
			group.AddError("currentPassword", errWrongPassword)
			return group.Err()
		}
		if err := a.End(tx, c.Caller.ID, c.Caller.Session); err != nil {
			return err
		}
		if c.Caller.Role != access.Customer {
			return nil
		}
		return feature.React(tx, c.Store, PasswordChanged{c.Caller.ID})
	}, func() error { return c.OK(success{true}) })
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

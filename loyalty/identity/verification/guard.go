package verification

import (
	"strings"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Errors of changes of security settings.
var (
	errSecurity = fault.New(fault.Forbidden, "security_permission_required",
		"This change needs the permission SECURITY MODIFY.")
	errIntegration = fault.New(fault.Forbidden, "person_required",
		"Only an administrator who logs in with a password can make this change.")
)

// Guard returns the guard of security settings. Callers need the permission and confirm the change by their password
// or identity provider, and by a second factor if they have one. The masters get a message.
func Guard(a *auth.Auth) api.Guard {
	return func(c *api.Call, g *form.Group) (changed func(tx *db.Tx, what ...string) error, err error) {
		refusal := error(nil)
		switch {
		case !c.Caller.Allowed(access.Security, access.Modify):
			refusal = errSecurity
		case c.Caller.Permanent:
			refusal = errIntegration
		}
		if refusal == nil {
			refusal = a.StepUp(c)
		}
		confirmed := false
		if given := api.ReadCurrentPassword(g); refusal == nil {
			if confirmed, err = a.Confirm(c, g, given); err == nil {
				err = g.Err()
			}
		}
		return func(tx *db.Tx, what ...string) error {
			if refusal == nil && !confirmed {
				g.AddError("currentPassword", auth.ErrUnconfirmed)
				refusal = g.Err()
			}
			if refusal != nil {
				return refusal
			}
			return tellMasters(tx, c, what)
		}, err
	}
}

// tellMasters reports a change of security settings to everybody with all rights, in case that it was not wanted.
func tellMasters(tx *db.Tx, c *api.Call, what []string) error {
	masters, err := admin.Masters(tx)
	if err != nil {
		return err
	}
	by, _, err := admin.FindByID(tx, c.Caller.ID)
	if err != nil {
		return err
	}
	name := by.Email
	if name == "" {
		name = by.Username
	}
	all := make([]message.Message, len(masters))
	for i := range masters {
		all[i] = ofAdministrator(&masters[i]).message(c.Store, template.SecurityChanged)
		all[i].Values = map[string]string{
			"store_code": c.Store.Code, "changed": strings.Join(what, ", "), "changed_by": name,
		}
	}
	return message.Queue(tx, c.Store, all...)
}

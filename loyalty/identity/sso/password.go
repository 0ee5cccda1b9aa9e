package sso

import (
	"punchcard/api"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/platform/form"
)

// Which administrators may sign in with a password.
const (
	Everybody = "everybody"
	Unlinked  = "unlinked" // those without an identity at a provider that is switched on
	Nobody    = "nobody"
)

var errPasswordOff = fault.New(fault.Unauthenticated, "password_login_off", "Sign in with single sign-on.")

// MayUsePassword refuses administrators who must sign in by a provider.
func MayUsePassword(tx *db.Tx, adminID string) error {
	allowed, err := readPasswordLogin(tx)
	if err != nil || allowed == Everybody {
		return err
	}
	if allowed == Unlinked {
		linked, err := isLinked(tx, adminID)
		if err != nil || !linked {
			return err
		}
	}
	return errPasswordOff
}

// AllowPasswords lets everybody sign in with a password again.
func AllowPasswords(tx *db.Tx) error { return writePasswordLogin(tx, Everybody) }

// isLinked reports whether an administrator can sign in by a provider that is switched on.
func isLinked(tx *db.Tx, adminID string) (bool, error) {
	own, err := identitiesOf(tx, adminID)
	if err != nil || len(own) == 0 {
		return false, err
	}
	providers, err := allProviders(tx)
	for i := range providers {
		for j := range own {
			if providers[i].Enabled && providers[i].Issuer == own[j].issuer {
				return true, err
			}
		}
	}
	return false, err
}

// passwordView shows the administrators who may sign in with a password.
type passwordView struct {
	Allowed string `json:"allowed"` // everybody, unlinked, nobody
}

func readAllowed(g *form.Group) string {
	return g.Choice("allowed", []string{Everybody, Unlinked, Nobody}, form.NotBlank)
}

func getPasswordLogin(c *api.Call) error {
	var view passwordView
	err := c.Read(func(tx *db.Tx) (err error) {
		view.Allowed, err = readPasswordLogin(tx)
		return err
	})
	if err != nil {
		return err
	}
	return c.OK(view)
}

// setPasswordLogin changes who may sign in with a password. Who takes passwords away must have another way in.
func setPasswordLogin(c *api.Call) error {
	body, err := c.Body()
	if err != nil {
		return err
	}
	g := form.Read(body)
	allowed := readAllowed(g)
	if err := g.Err(); err != nil {
		return err
	}
	return c.Write(func(tx *db.Tx) error {
		if allowed != Everybody {
			linked, err := isLinked(tx, c.Caller.ID)
			if err == nil && !linked {
				err = ErrNotLinked
			}
			if err != nil {
				return err
			}
		}
		return writePasswordLogin(tx, allowed)
	}, c.NoContent)
}

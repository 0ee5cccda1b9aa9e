package app

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/factor"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/sso"
	"punchcard/platform/db"
	"punchcard/platform/password"
)

// CreateAdministrator adds an administrator with all rights, and returns their random password.
func CreateAdministrator(ctx context.Context, config Database, username, email string, logTo io.Writer) (
	plain string, err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	plain = password.Generate()
	hash, err := password.Hash(ctx, plain)
	if err != nil {
		return "", err
	}
	return plain, d.Write(ctx, func(tx *db.Tx) error {
		_, err := admin.Create(tx, admin.New{
			Username: username, Email: email, PasswordHash: hash, Active: true, RoleID: admin.SuperAdmin,
		})
		return err
	})
}

// ErrSetUp is the error of a link to the set-up of an installation that has an administrator.
var ErrSetUp = errors.New("there is an administrator already: add another one with punchcard admin create")

// PrintSetupLink prints a new link to the set-up of an installation without administrator, at the address of its
// server.
func PrintSetupLink(ctx context.Context, config Database, base string, out, logTo io.Writer) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	var exists bool
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		exists, err = admin.Exists(tx)
		return err
	})
	if err == nil && exists {
		err = ErrSetUp
	}
	if err != nil {
		return err
	}
	return printSetupLink(ctx, d, strings.TrimRight(base, "/"), out)
}

// AllowPasswords lets all administrators sign in with a password again, or all sellers of the store with a code.
func AllowPasswords(ctx context.Context, config Database, sellersOf string, logTo io.Writer) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Write(ctx, func(tx *db.Tx) error {
		if sellersOf == "" {
			return sso.AllowPasswords(tx, 0)
		}
		s, found, err := store.ByCode(tx, sellersOf)
		if err == nil && !found {
			err = ErrNoStore
		}
		if err != nil {
			return err
		}
		return sso.AllowPasswords(tx, s.Key)
	})
}

// RotateKey adds a key that signs access tokens, which are valid for tokenLife. With revoke it deletes all other keys.
func RotateKey(
	ctx context.Context, config Database, tokenLife time.Duration, revoke bool, logTo io.Writer,
) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Write(ctx, func(tx *db.Tx) error { return auth.RotateKey(tx, tokenLife, revoke) })
}

// ErrNoStore is the error of a code that no store has.
var ErrNoStore = errors.New("there is no such store")

// ErrNoAccount is the error of a name that nobody has.
var ErrNoAccount = errors.New("there is no such account")

// ResetFactors removes all second factors of an account, and ends its sessions. role is administrator, seller or
// customer. The code of the store counts for sellers and customers.
func ResetFactors(ctx context.Context, config Database, role, storeCode, name string, logTo io.Writer) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Write(ctx, func(tx *db.Tx) error {
		var storeKey int64
		if role != "administrator" {
			s, found, err := store.ByCode(tx, storeCode)
			if err != nil {
				return err
			}
			if !found {
				return ErrNoAccount
			}
			storeKey = s.Key
		}
		id, err := accountID(tx, role, storeKey, name)
		if err != nil {
			return err
		}
		if id == "" {
			return ErrNoAccount
		}
		if err := factor.RemoveAll(tx, storeKey, id); err != nil {
			return err
		}
		return auth.EndAll(tx, id, "")
	})
}

// accountID finds an account by what it logs in with. It is empty if there is none.
func accountID(tx *db.Tx, role string, storeKey int64, name string) (string, error) {
	switch role {
	case "seller":
		s, _, err := seller.FindByLogin(tx, storeKey, name)
		return s.ID, err
	case "customer":
		c, _, err := customer.FindLogin(tx, storeKey, name)
		return c.ID, err
	default:
		a, _, err := admin.FindByLogin(tx, name)
		return a.ID, err
	}
}

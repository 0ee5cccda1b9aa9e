package app

import (
	"context"
	"errors"
	"io"
	"time"

	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/auth"
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

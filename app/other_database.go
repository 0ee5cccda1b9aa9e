package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"punchcard/loyalty/identity/admin"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
)

// refuseOtherShop returns an error if PostgreSQL has no shop yet, but the SQLite file of the data folder has one:
// somebody who adds --database to a running shop would otherwise find an empty one.
func refuseOtherShop(ctx context.Context, config *Config, d *db.DB, log *slog.Logger) error {
	info, err := os.Stat(config.file())
	if config.Database.Database == "" || errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	version, _, err := d.CheckSchema(ctx, migrations.Files)
	if err != nil {
		return fmt.Errorf("schema version: %w", err)
	}
	if version > 0 {
		if used, err := hasAdministrator(ctx, d); used || err != nil {
			return err
		}
	}
	if !mayHoldShop(ctx, config, log) {
		return nil
	}
	return fmt.Errorf("the data folder holds a shop in the SQLite database %s, but the PostgreSQL database of --database "+
		"is empty, and nothing moves a shop from one to the other: to go on with that shop, start without --database; to "+
		"begin an empty shop on PostgreSQL, choose another folder by --data, or move punchcard.db out of this one",
		config.file())
}

// mayHoldShop reports whether the SQLite file of the data folder has an administrator, or cannot be read. The first
// start without a set-up leaves a file without one.
func mayHoldShop(ctx context.Context, config *Config, log *slog.Logger) bool {
	open := config.open(log)
	open.URL, open.ReadOnly = "", true
	d, err := dbopen.Open(ctx, open)
	if err != nil {
		return true
	}
	used, err := hasAdministrator(ctx, d)
	return errors.Join(err, d.Close()) != nil || used
}

func hasAdministrator(ctx context.Context, d *db.DB) (exists bool, err error) {
	err = d.Read(ctx, func(tx *db.Tx) (err error) {
		exists, err = admin.Exists(tx)
		return err
	})
	return exists, err
}

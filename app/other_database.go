package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/identity/admin"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
)

// movedSuffix ends the name of a file beside a SQLite database that has moved to PostgreSQL.
const movedSuffix = ".moved"

// markMoved notes that the SQLite database has moved, so that no server starts with it by mistake.
func markMoved(config *Database) error {
	text := fmt.Sprintf("moved to PostgreSQL at %s; remove this file to serve this database anyway\n",
		time.Now().UTC().Format(time.RFC3339))
	return os.WriteFile(config.file()+movedSuffix, []byte(text), 0o600)
}

// refuseOtherFile returns an error if a server without --database would start with a database that has moved to
// PostgreSQL, or with an empty one beside a copy.
func (c *Database) refuseOtherFile() error {
	if c.Database != "" {
		return nil
	}
	moved := c.file() + movedSuffix
	if text, err := os.ReadFile(moved); err == nil {
		return fmt.Errorf("the shop of %s was %s: start with --database and its address, or remove %s to go on with the "+
			"SQLite database as it was before", c.file(), bytes.TrimSpace(bytes.Split(text, []byte(";"))[0]), moved)
	} else if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("data folder: %w", err)
	}
	if info, err := os.Stat(c.file()); err == nil && info.Size() > 0 {
		return nil
	}
	entries, err := os.ReadDir(c.Data)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	for _, entry := range entries {
		name := filepath.Join(c.Data, entry.Name())
		if entry.Type().IsRegular() && isSQLite(name) {
			return fmt.Errorf("the data folder holds the SQLite database %s, but no %s, so that an empty shop would begin: "+
				"run punchcard restore %[1]s --data %[3]s to serve that one, or choose another folder by --data", name,
				databaseName, c.Data)
		}
	}
	return nil
}

// isSQLite reports whether a file begins as a SQLite database does.
func isSQLite(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // nothing was written
	const header = "SQLite format 3\x00"
	text := make([]byte, len(header))
	_, err = io.ReadFull(file, text)
	return err == nil && string(text) == header
}

// refuseOtherShop returns an error if PostgreSQL has no shop yet, but the SQLite file of the data folder has one:
// somebody who adds --database to a running shop would otherwise find an empty one. If both have one, it warns, unless
// the file is known to have moved.
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
		if used, err := hasAdministrator(ctx, d); err != nil {
			return err
		} else if used {
			return warnOfOtherShop(ctx, config, d, log)
		}
	}
	if !mayHoldShop(ctx, config, log) {
		return nil
	}
	return fmt.Errorf("the data folder holds a shop in the SQLite database %s, but the PostgreSQL database of --database "+
		"is empty: to take the shop along, run punchcard move --from sqlite:%s --to and the address; to go on with it as it "+
		"is, start without --database; to begin an empty shop on PostgreSQL, choose another folder by --data, or move "+
		"punchcard.db out of this one", config.file(), config.Data)
}

// warnOfOtherShop warns of a SQLite database that the server does not use.
func warnOfOtherShop(ctx context.Context, config *Config, d *db.DB, log *slog.Logger) error {
	if _, err := os.Stat(config.file() + movedSuffix); err == nil {
		return nil
	}
	served, err := storeIDs(ctx, d)
	if err != nil {
		return err
	}
	other, err := openUnused(ctx, config, log)
	var found []string
	if err == nil {
		found, err = storeIDs(ctx, other)
		err = errors.Join(err, other.Close())
	}
	what := "the SQLite database of another shop"
	switch {
	case err != nil:
		what = "a SQLite database that cannot be read"
	case slices.ContainsFunc(found, func(id string) bool { return slices.Contains(served, id) }):
		what = "an older copy of this shop in a SQLite database"
	}
	log.Warn("the data folder holds "+what+", which is not used: move it out of the folder, so that nobody starts "+
		"with it by mistake", "file", config.file())
	return nil
}

func storeIDs(ctx context.Context, d *db.DB) (ids []string, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		stores, err := store.All(tx)
		for i := range stores {
			ids = append(ids, stores[i].ID)
		}
		return err
	})
	return ids, err
}

// openUnused opens the SQLite file beside a server that uses PostgreSQL.
func openUnused(ctx context.Context, config *Config, log *slog.Logger) (*db.DB, error) {
	open := config.open(log)
	open.URL, open.ReadOnly = "", true
	return dbopen.Open(ctx, open)
}

// mayHoldShop reports whether the SQLite file of the data folder has an administrator, or cannot be read. The first
// start without a set-up leaves a file without one.
func mayHoldShop(ctx context.Context, config *Config, log *slog.Logger) bool {
	d, err := openUnused(ctx, config, log)
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

package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path"
	"testing/fstest"

	"github.com/pressly/goose/v3"
)

// Migrate brings the schema up to the newest migration, one process at a time. It refuses a schema that is newer than
// the migrations, and one that is too old for them.
func (d *DB) Migrate(ctx context.Context, migrations fs.FS) error {
	current, newest, err := d.SchemaVersion(ctx, migrations)
	if err != nil {
		return fmt.Errorf("schema version: %w", err)
	}
	if current > newest {
		return fmt.Errorf("the database has schema %d, made by a newer program; this one knows up to %d",
			current, newest)
	}
	if current == newest {
		return nil
	}
	return d.engine.Migrate(ctx, migrations)
}

// SchemaVersion returns the version of the database, which is 0 if it is empty, and the newest version. A version
// before the oldest migration is an error, because no migration upgrades it.
func (d *DB) SchemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	current, newest, err = d.engine.SchemaVersion(ctx, migrations)
	if err != nil || current == 0 {
		return current, newest, err
	}
	names, err := fs.Glob(migrations, "*.sql") // in the order of the numbers
	if err != nil {
		return current, newest, err
	}
	oldest, err := MigrationNumber(names[0])
	if err == nil && current < oldest {
		err = fmt.Errorf("the database has schema %d, from before the first release, and cannot be upgraded: "+
			"start with an empty database, or use the program that made this one", current)
	}
	return current, newest, err
}

// Migrations returns the migrations for a connection of database/sql. adapt changes the common SQL of each.
func Migrations(dialect goose.Dialect, on *sql.DB, migrations fs.FS, adapt func(string) string,
	options ...goose.ProviderOption) (*goose.Provider, error) {
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		return nil, err
	}
	adapted := fstest.MapFS{}
	for _, name := range names {
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, err
		}
		adapted[path.Base(name)] = &fstest.MapFile{Data: []byte(adapt(string(text)))}
	}
	return goose.NewProvider(dialect, on, adapted, append(options, goose.WithDisableGlobalRegistry(true))...)
}

// MigrationNumber returns the number that the name of a migration begins with.
func MigrationNumber(name string) (int64, error) { return goose.NumericComponent(name) }

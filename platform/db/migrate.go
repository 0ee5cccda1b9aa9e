package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"testing/fstest"

	"github.com/pressly/goose/v3"
	"golang.org/x/mod/semver"
)

// Migration is a file of the schema.
type Migration struct {
	Number int64
	Name   string
	Text   string // as the database reads it
}

// Migrate brings the schema up to the newest migration, one process at a time. All migrations are one transaction, so
// that a process that is killed, or a statement that fails, leaves the database as it was. It leaves a newer schema as
// it is if the program may use it, see CheckSchema, and refuses one that is too old for the migrations.
func (d *DB) Migrate(ctx context.Context, migrations fs.FS) error {
	current, newest, err := d.CheckSchema(ctx, migrations)
	if err != nil {
		return fmt.Errorf("schema version: %w", err)
	}
	if current >= newest {
		return nil
	}
	all, err := d.migrations(migrations)
	if err != nil {
		return err
	}
	return d.engine.Migrate(ctx, all)
}

// migrations reads the files, in the order of their numbers.
func (d *DB) migrations(migrations fs.FS) (all []Migration, err error) {
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		number, err := MigrationNumber(name)
		if err != nil {
			return nil, err
		}
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, err
		}
		all = append(all, Migration{number, name, d.engine.AdaptSchema(string(text))})
	}
	slices.SortFunc(all, func(a, b Migration) int { return cmp.Compare(a.Number, b.Number) })
	return all, nil
}

// Record is the statement that notes an applied migration by its number.
const Record = "INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)"

// CheckSchema returns the version of the database, which is 0 if it is empty, and the newest version of the migrations.
// It is an error if the program cannot use or upgrade the database: a schema from before the oldest migration, one that
// lacks columns of the migrations that it has, or a newer one that Config.Program is too old for.
func (d *DB) CheckSchema(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	current, newest, err = d.engine.SchemaVersion(ctx, migrations)
	switch {
	case err != nil || current == 0:
		return current, newest, err
	case current > newest:
		return current, newest, d.acceptNewer(ctx, current, newest)
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
	if err == nil && current < newest {
		err = d.checkColumns(ctx, migrations, current)
	}
	return current, newest, err
}

// acceptNewer returns an error unless a schema that the program does not know allows its version.
func (d *DB) acceptNewer(ctx context.Context, current, newest int64) error {
	type programs struct{ madeBy, oldest string }
	var by programs
	err := d.Read(ctx, func(tx *Tx) (err error) {
		by, _, err = One(tx, func(p *programs) []any { return []any{&p.madeBy, &p.oldest} },
			`SELECT made_by, oldest FROM schema_programs WHERE id = 1`)
		return err
	})
	if err != nil || by.oldest == "" {
		return errors.Join(fmt.Errorf("the database has schema %d, made by a newer program; this one knows up to %d",
			current, newest), err)
	}
	if semver.Compare("v"+d.program, "v"+by.oldest) >= 0 {
		return nil
	}
	return fmt.Errorf("the database has schema %d of version %s, which version %s of the program and later can use; "+
		"this is %s: install one of those, or restore a backup from before the upgrade", current, by.madeBy, by.oldest,
		cmp.Or(d.program, "another program"))
}

// Migrations returns the migrations for a connection of database/sql. adapt changes the common SQL of each.
func Migrations(dialect goose.Dialect, on *sql.DB, migrations fs.FS, adapt func(string) string) (
	*goose.Provider, error) {
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
	return goose.NewProvider(dialect, on, adapted, goose.WithDisableGlobalRegistry(true))
}

// MigrationNumber returns the number that the name of a migration begins with.
func MigrationNumber(name string) (int64, error) { return goose.NumericComponent(name) }

package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"syscall"
	"testing/fstest"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Migrate brings the schema up to the newest migration, one process at a time, and refuses a schema
// that a newer program made. It only goes forward.
func (d *DB) Migrate(ctx context.Context, migrations fs.FS) error {
	current, newest, err := d.engine.schemaVersion(ctx, migrations)
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
	return d.engine.migrate(ctx, migrations)
}

// SchemaVersion tells which migration the database is at, and which is the newest.
func (d *DB) SchemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	return d.engine.schemaVersion(ctx, migrations)
}

func (e *sqliteEngine) migrate(ctx context.Context, migrations fs.FS) error {
	file, err := os.OpenFile(e.file+".migrate", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // closing gives the lock back
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("migration lock: %w", err)
	}
	provider, err := e.provider(migrations)
	if err != nil {
		return err
	}
	if _, err = provider.Up(ctx); err != nil {
		return err
	}
	return assumeLarge(ctx, e.writing)
}

func (e *sqliteEngine) provider(migrations fs.FS) (*goose.Provider, error) {
	return provider(goose.DialectSQLite3, e.writing, migrations, sqliteSchema)
}

func (e *sqliteEngine) schemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	return versions(ctx, e.provider, migrations)
}

func (e *postgresEngine) migrate(ctx context.Context, migrations fs.FS) error {
	provider, err := e.provider(migrations)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

func (e *postgresEngine) provider(migrations fs.FS) (*goose.Provider, error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	return provider(goose.DialectPostgres, e.pool, migrations, postgresSchema, goose.WithSessionLocker(locker))
}

func (e *postgresEngine) schemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	return versions(ctx, e.provider, migrations)
}

// sqliteSchema adapts the one schema text: lines marked for SQLite come alive.
func sqliteSchema(text string) string { return strings.ReplaceAll(text, "--sqlite: ", "") }

var textType = regexp.MustCompile(`\bTEXT\b`)

// postgresSchema adapts the one schema text: SQLite's clustering word goes, texts sort by bytes as
// they do there, and lines marked for PostgreSQL come alive.
func postgresSchema(text string) string {
	text = strings.ReplaceAll(text, " WITHOUT ROWID", "")
	text = strings.ReplaceAll(text, "--postgres: ", "")
	return textType.ReplaceAllString(text, `TEXT COLLATE "C"`)
}

func provider(dialect goose.Dialect, on *sql.DB, migrations fs.FS, adapt func(string) string,
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

func versions(ctx context.Context, make func(fs.FS) (*goose.Provider, error), migrations fs.FS) (
	current, newest int64, err error) {
	p, err := make(migrations)
	if err != nil {
		return 0, 0, err
	}
	return p.GetVersions(ctx)
}

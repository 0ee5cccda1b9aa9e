package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"syscall"
	"testing/fstest"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
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
	return d.engine.migrate(ctx, migrations)
}

// SchemaVersion returns the version of the database, which is 0 if it is empty, and the newest version. A version
// before the oldest migration is an error, because no migration upgrades it.
func (d *DB) SchemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	current, newest, err = d.engine.schemaVersion(ctx, migrations)
	if err != nil || current == 0 {
		return current, newest, err
	}
	names, err := fs.Glob(migrations, "*.sql") // in the order of the numbers
	if err != nil {
		return current, newest, err
	}
	oldest, err := goose.NumericComponent(names[0])
	if err == nil && current < oldest {
		err = fmt.Errorf("the database has schema %d, from before the first release, and cannot be upgraded: "+
			"start with an empty database, or use the program that made this one", current)
	}
	return current, newest, err
}

func (e *sqliteEngine) migrate(ctx context.Context, migrations fs.FS) error {
	file, err := os.OpenFile(e.file+".migrate", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // releases the lock
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("migration lock: %w", err)
	}
	return e.migrating(migrations, func(on *sql.DB, p *goose.Provider) error {
		if _, err = p.Up(ctx); err != nil {
			return err
		}
		return assumeLarge(ctx, on)
	})
}

// migrating calls run with the migrations, which need a connection of database/sql.
func (e *sqliteEngine) migrating(migrations fs.FS, run func(on *sql.DB, p *goose.Provider) error) (err error) {
	settings := url.Values{"mode": {e.mode}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "synchronous(FULL)", "foreign_keys(ON)",
	}}
	on, err := sql.Open("sqlite", "file:"+(&url.URL{Path: e.file}).EscapedPath()+"?"+settings.Encode())
	if err != nil {
		return err
	}
	defer func() { err = explainDisk(e.file, errors.Join(err, on.Close())) }()
	p, err := provider(goose.DialectSQLite3, on, migrations, sqliteSchema)
	if err != nil {
		return err
	}
	return run(on, p)
}

func (e *sqliteEngine) schemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	err = e.migrating(migrations, func(_ *sql.DB, p *goose.Provider) (err error) {
		current, newest, err = p.GetVersions(ctx)
		return err
	})
	return current, newest, err
}

func (e *postgresEngine) migrate(ctx context.Context, migrations fs.FS) error {
	return e.migrating(migrations, func(p *goose.Provider) error {
		if _, err := p.Up(ctx); err != nil {
			return err
		}
		return e.assumeLarge(ctx)
	})
}

// migrating calls run with the migrations, which need a connection of database/sql.
func (e *postgresEngine) migrating(migrations fs.FS, run func(p *goose.Provider) error) (err error) {
	on := stdlib.OpenDBFromPool(e.pool)
	defer func() { err = errors.Join(err, on.Close()) }()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	p, err := provider(goose.DialectPostgres, on, migrations, postgresSchema, goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	return run(p)
}

func (e *postgresEngine) schemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	err = e.migrating(migrations, func(p *goose.Provider) (err error) {
		current, newest, err = p.GetVersions(ctx)
		return err
	})
	return current, newest, err
}

// sqliteSchema adapts the common schema: it uncomments the lines for SQLite.
func sqliteSchema(text string) string { return strings.ReplaceAll(text, "--sqlite: ", "") }

var textType = regexp.MustCompile(`\bTEXT\b`)

// postgresSchema adapts the common schema: it uncomments the lines for PostgreSQL, removes SQLite's WITHOUT
// ROWID, and lets texts sort by bytes, as they do on SQLite.
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

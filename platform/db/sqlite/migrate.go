package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"github.com/pressly/goose/v3"

	"punchcard/platform/db"
	"punchcard/platform/filelock"
)

func (e *engine) Migrate(ctx context.Context, migrations fs.FS) error {
	file, err := os.OpenFile(e.file+".migrate", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // releases the lock
	if err := filelock.Lock(file); err != nil {
		return fmt.Errorf("migration lock: %w", err)
	}
	return e.migrating(migrations, func(on *sql.DB, p *goose.Provider) error {
		if _, err = p.Up(ctx); err != nil {
			return err
		}
		return assumeLarge(ctx, on)
	})
}

// migrating calls run with the migrations.
func (e *engine) migrating(migrations fs.FS, run func(on *sql.DB, p *goose.Provider) error) error {
	return e.throughSQL(func(on *sql.DB) error {
		p, err := db.Migrations(goose.DialectSQLite3, on, migrations, e.AdaptSchema)
		if err != nil {
			return err
		}
		return run(on, p)
	})
}

// throughSQL calls run with a connection of database/sql, which migrations need.
func (e *engine) throughSQL(run func(on *sql.DB) error) (err error) {
	settings := url.Values{"mode": {e.mode}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "synchronous(FULL)", "foreign_keys(ON)",
	}}
	on, err := sql.Open("sqlite", "file:"+(&url.URL{Path: e.file}).EscapedPath()+"?"+settings.Encode())
	if err != nil {
		return err
	}
	defer func() { err = explainDisk(e.file, errors.Join(err, on.Close())) }()
	return run(on)
}

func (e *engine) SchemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	err = e.migrating(migrations, func(_ *sql.DB, p *goose.Provider) (err error) {
		current, newest, err = p.GetVersions(ctx)
		return err
	})
	return current, newest, err
}

// AdaptSchema adapts the common schema: it uncomments the lines for SQLite.
func (*engine) AdaptSchema(text string) string { return strings.ReplaceAll(text, "--sqlite: ", "") }

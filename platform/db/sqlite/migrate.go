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

func (e *engine) Migrate(ctx context.Context, migrations []db.Migration) error {
	file, err := os.OpenFile(e.file+".migrate", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // releases the lock
	if err := filelock.Lock(file); err != nil {
		return fmt.Errorf("migration lock: %w", err)
	}
	return e.throughSQL(func(on *sql.DB) error {
		if err := apply(ctx, on, migrations); err != nil {
			return err
		}
		return assumeLarge(ctx, on)
	})
}

// apply runs the migrations that the database does not have.
func apply(ctx context.Context, on *sql.DB, migrations []db.Migration) error {
	tx, err := on.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	var current int64
	if err := tx.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&current); err != nil {
		return err
	}
	for _, m := range migrations {
		if m.Number <= current {
			continue
		}
		if _, err := tx.ExecContext(ctx, m.Text); err != nil {
			return fmt.Errorf("%s: %w; the schema is as it was", m.Name, err)
		}
		if _, err := tx.ExecContext(ctx, db.Record, m.Number); err != nil {
			return err
		}
	}
	return tx.Commit()
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

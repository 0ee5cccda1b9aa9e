package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"punchcard/platform/db"
)

// lockMigrations waits for another process that migrates. Programs that run each migration in a transaction of its own
// hold the same lock.
var lockMigrations = fmt.Sprintf("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '5min'; "+
	"SELECT pg_advisory_xact_lock(%d); SET LOCAL lock_timeout = '10s'", lock.DefaultLockID)

func (e *engine) Migrate(ctx context.Context, migrations []db.Migration) error {
	tx, err := e.pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }() // does nothing after the commit
	if _, err := tx.Exec(ctx, lockMigrations); err != nil {
		return fmt.Errorf("migration lock: %w", err)
	}
	var current int64
	if err := tx.QueryRow(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&current); err != nil {
		return err
	}
	for _, m := range migrations {
		if m.Number <= current {
			continue
		}
		if _, err := tx.Exec(ctx, m.Text); err != nil { // several statements, as there are no values
			return fmt.Errorf("%s: %w; the schema is as it was", m.Name, err)
		}
		if _, err := tx.Exec(ctx, db.Record, m.Number); err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return e.assumeLarge(ctx)
}

// migrating calls run with the migrations, which need a connection of database/sql.
func (e *engine) migrating(migrations fs.FS, run func(p *goose.Provider) error) (err error) {
	on := stdlib.OpenDBFromPool(e.pool)
	defer func() { err = errors.Join(err, on.Close()) }()
	p, err := db.Migrations(goose.DialectPostgres, on, migrations, e.AdaptSchema)
	if err != nil {
		return err
	}
	return run(p)
}

func (e *engine) SchemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error) {
	err = e.migrating(migrations, func(p *goose.Provider) (err error) {
		current, newest, err = p.GetVersions(ctx)
		return err
	})
	return current, newest, err
}

// AdaptSchema adapts the common schema: it uncomments the lines for PostgreSQL, removes SQLite's WITHOUT
// ROWID, and lets texts sort by bytes, as they do on SQLite.
func (*engine) AdaptSchema(text string) string { return forPostgres.Replace(text) }

// forPostgres replaces the type of a column only between the characters that surround it, so that TEXT stays in other
// words.
var forPostgres = strings.NewReplacer(" WITHOUT ROWID", "", "--postgres: ", "", " TEXT ", ` TEXT COLLATE "C" `,
	" TEXT,", ` TEXT COLLATE "C",`, " TEXT\n", " TEXT COLLATE \"C\"\n", " TEXT)", ` TEXT COLLATE "C")`,
	" TEXT;", ` TEXT COLLATE "C";`)

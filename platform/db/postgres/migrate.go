package postgres

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"punchcard/platform/db"
)

func (e *engine) Migrate(ctx context.Context, migrations fs.FS) error {
	return e.migrating(migrations, func(p *goose.Provider) error {
		if _, err := p.Up(ctx); err != nil {
			return err
		}
		return e.assumeLarge(ctx)
	})
}

// migrating calls run with the migrations, which need a connection of database/sql.
func (e *engine) migrating(migrations fs.FS, run func(p *goose.Provider) error) (err error) {
	on := stdlib.OpenDBFromPool(e.pool)
	defer func() { err = errors.Join(err, on.Close()) }()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	p, err := db.Migrations(goose.DialectPostgres, on, migrations, e.AdaptSchema, goose.WithSessionLocker(locker))
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

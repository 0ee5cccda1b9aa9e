package db

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"zombiezen.com/go/sqlite"
)

// backupPages is how many pages are copied between two checks of the context.
const backupPages = 1024

// ErrNotOneFile is the error of operations on a file when the database is PostgreSQL.
var ErrNotOneFile = errors.New("only a SQLite database is one file")

// Backup copies a snapshot of the database into a new file, while others write. It reports how many pages of
// how many are copied. The file needs no other beside it. It is not synced to the disk.
func (d *DB) Backup(ctx context.Context, file string, progress func(done, of int)) error {
	e, is := d.engine.(*sqliteEngine)
	if !is {
		return ErrNotOneFile
	}
	if err := e.backup(ctx, file, progress); err != nil {
		return fmt.Errorf("back up to %s: %w", file, explainDisk(file, err))
	}
	return explainDisk(file, standAlone(file))
}

func (e *sqliteEngine) backup(ctx context.Context, file string, progress func(done, of int)) (err error) {
	from, err := e.readers.take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.release(from)
	to, err := sqlite.OpenConn(file, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if err := (&sqliteConn{conn: to}).run("PRAGMA synchronous = OFF"); err != nil {
		return err
	}
	// Without a snapshot, every write between two steps would restart the copy.
	return from.inSnapshot(func() error {
		copying, err := sqlite.NewBackup(to, "main", from.conn, "main")
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if more, err = copying.Step(backupPages); err == nil {
				progress(copying.PageCount()-copying.Remaining(), copying.PageCount())
				err = ctx.Err()
			}
		}
		return errors.Join(err, copying.Close())
	})
}

// standAlone turns a copy in WAL mode into a database without a write-ahead log.
func standAlone(file string) (err error) {
	copied, err := openConn(file, "rw")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.close()) }()
	answer, err := copied.query(context.Background(), "PRAGMA journal_mode = DELETE", nil)
	if err != nil {
		return err
	}
	var mode string
	if answer.Next() {
		err = answer.Scan(&mode)
	}
	if err = errors.Join(err, answer.Err(), answer.Close()); err == nil && mode != "delete" {
		err = fmt.Errorf("the journal of %s is in mode %s", file, mode)
	}
	return err
}

// Verify reads all of a SQLite database and fails if anything is damaged.
func (d *DB) Verify(ctx context.Context) error {
	e, is := d.engine.(*sqliteEngine)
	if !is {
		return ErrNotOneFile
	}
	var found []string
	err := d.Read(ctx, func(tx *Tx) (err error) {
		found, err = All(tx, func(line *string) []any { return []any{line} }, "PRAGMA quick_check(10)")
		return err
	})
	if err != nil || len(found) != 1 || found[0] != "ok" {
		return errors.Join(fmt.Errorf("%s is damaged: %s", e.file, strings.Join(found, "; ")), err)
	}
	return nil
}

// CountRows counts the tables of a SQLite database and their rows, without SQLite's own tables.
func (d *DB) CountRows(ctx context.Context) (tables int, rows int64, err error) {
	err = d.Read(ctx, func(tx *Tx) error {
		names, err := All(tx, func(name *string) []any { return []any{name} }, `SELECT name FROM pragma_table_list
			WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
		for _, name := range names {
			var n int64
			if err == nil {
				n, err = Value[int64](tx, `SELECT COUNT(*) FROM "`+name+`"`)
			}
			tables, rows = tables+1, rows+n
		}
		return err
	})
	return tables, rows, err
}

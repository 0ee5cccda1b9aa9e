package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"modernc.org/sqlite"
)

// backupPages is how many pages of a backup are copied in one go, between two looks at the context.
const backupPages = 1024

// ErrNotOneFile says that a database of PostgreSQL is not a file that could be copied.
var ErrNotOneFile = errors.New("only a SQLite database is one file")

// Backup copies the database as it is at one moment into a new file, while others write. It tells how many pages are
// copied, of how many. The file is complete and needs no other beside it, but nothing has made sure yet that it is on
// the disk.
func (d *DB) Backup(ctx context.Context, file string, progress func(done, of int)) error {
	e, is := d.engine.(*sqliteEngine)
	if !is {
		return ErrNotOneFile
	}
	if err := e.backup(ctx, file, progress); err != nil {
		return fmt.Errorf("back up to %s: %w", file, err)
	}
	return standAlone(ctx, file)
}

func (e *sqliteEngine) backup(ctx context.Context, file string, progress func(done, of int)) (err error) {
	conn, err := e.reading.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	// The copy begins anew when somebody writes between two steps, unless a transaction holds on to one moment.
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	defer func() {
		_, ended := conn.ExecContext(context.Background(), "ROLLBACK")
		err = errors.Join(err, ended)
	}()
	var tables int
	if err := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	return conn.Raw(func(driver any) error {
		source, is := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		})
		if !is {
			return errors.New("the driver cannot back up")
		}
		copying, err := source.NewBackup(address(file, url.Values{"_pragma": {"synchronous(0)"}}))
		if err != nil {
			return err
		}
		for more := true; more && err == nil; {
			if more, err = copying.Step(backupPages); err == nil {
				progress(copying.PageCount()-copying.Remaining(), copying.PageCount())
				err = ctx.Err()
			}
		}
		return errors.Join(err, copying.Finish())
	})
}

// standAlone turns a copy, which says of itself that a log belongs to it, into a database without one.
func standAlone(ctx context.Context, file string) (err error) {
	copied, err := sql.Open("sqlite", address(file, url.Values{"mode": {"rw"}}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	var mode string
	if err = copied.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode); err == nil && mode != "delete" {
		err = fmt.Errorf("the journal of %s is in mode %s", file, mode)
	}
	return err
}

// address is a file as the driver opens it, with settings.
func address(file string, values url.Values) string {
	return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + values.Encode()
}

// Verify reads all of a SQLite database and fails when anything in it is damaged.
func (d *DB) Verify(ctx context.Context) error {
	e, is := d.engine.(*sqliteEngine)
	if !is {
		return ErrNotOneFile
	}
	rows, err := e.reading.QueryContext(ctx, "PRAGMA quick_check(10)")
	if err != nil {
		return fmt.Errorf("%s is damaged: %w", e.file, err)
	}
	defer func() { _ = rows.Close() }() // the error of a half-read result is the one of rows.Err
	var found []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err
		}
		found = append(found, line)
	}
	if err := rows.Err(); err != nil || len(found) != 1 || found[0] != "ok" {
		return errors.Join(fmt.Errorf("%s is damaged: %s", e.file, strings.Join(found, "; ")), err)
	}
	return nil
}

// CountRows counts the tables of a SQLite database and all their rows, but those that SQLite keeps for itself.
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

package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNotOneFile is the error of operations on a file when the database is PostgreSQL.
var ErrNotOneFile = errors.New("only a SQLite database is one file")

// Backup copies a snapshot of the database into a new file, while others write. It reports how many pages of
// how many are copied. The file needs no other beside it. It is not synced to the disk.
func (d *DB) Backup(ctx context.Context, file string, progress func(done, of int)) error {
	e, is := d.engine.(FileEngine)
	if !is {
		return ErrNotOneFile
	}
	return e.Backup(ctx, file, progress)
}

// Verify reads all of a SQLite database and fails if anything is damaged. whole also compares the indexes with the
// rows, which takes much longer.
func (d *DB) Verify(ctx context.Context, whole bool) error {
	e, is := d.engine.(FileEngine)
	if !is {
		return ErrNotOneFile
	}
	pragma := "PRAGMA quick_check(10)"
	if whole {
		pragma = "PRAGMA integrity_check(10)"
	}
	var found []string
	err := d.Read(ctx, func(tx *Tx) (err error) {
		found, err = AllValues[string](tx, pragma)
		return err
	})
	if err != nil || len(found) != 1 || found[0] != "ok" {
		return errors.Join(fmt.Errorf("%s is damaged: %s", e.File(), strings.Join(found, "; ")), err)
	}
	return nil
}

// CountRows counts the tables of a SQLite database and their rows, without SQLite's own tables.
func (d *DB) CountRows(ctx context.Context) (tables int, rows int64, err error) {
	err = d.Read(ctx, func(tx *Tx) error {
		names, err := AllValues[string](tx, `SELECT name FROM pragma_table_list
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

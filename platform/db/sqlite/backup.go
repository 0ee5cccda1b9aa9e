package sqlite

import (
	"context"
	"errors"
	"fmt"

	"zombiezen.com/go/sqlite"
)

// backupPages is how many pages are copied between two checks of the context.
const backupPages = 1024

// Backup copies a snapshot of the database into a new file, while others write. It reports how many pages of
// how many are copied. The file needs no other beside it. It is not synced to the disk.
func (e *engine) Backup(ctx context.Context, file string, progress func(done, of int)) error {
	if err := e.backup(ctx, file, progress); err != nil {
		return fmt.Errorf("back up to %s: %w", file, explainDisk(file, err))
	}
	return explainDisk(file, standAlone(file))
}

// File is the name of the SQLite file.
func (e *engine) File() string { return e.file }

func (e *engine) backup(ctx context.Context, file string, progress func(done, of int)) (err error) {
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
	if err := (&connection{conn: to}).run("PRAGMA synchronous = OFF"); err != nil {
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
	response, err := copied.Query(context.Background(), "PRAGMA journal_mode = DELETE", nil)
	if err != nil {
		return err
	}
	var mode string
	if response.Next() {
		err = response.Scan(&mode)
	}
	if err = errors.Join(err, response.Err(), response.Close()); err == nil && mode != "delete" {
		err = fmt.Errorf("the journal of %s is in mode %s", file, mode)
	}
	return err
}

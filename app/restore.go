package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
)

// Restore replaces the SQLite database, while no server runs. It copies the source next to the database and verifies
// the copy before it changes anything. force replaces an existing database, which stays as FILE.before-restore.
func Restore(ctx context.Context, config Database, source Source, force bool, out, progress io.Writer) (err error) {
	if config.Database != "" {
		return errRestoreOtherwise
	}
	if err := source.complete(); err != nil {
		return err
	}
	log, err := config.logger(progress)
	if err != nil {
		return err
	}
	unlock, err := lockFolder(config.Data, log)
	if err != nil {
		return err
	}
	defer unlock()
	target := config.file()
	if err := mayWrite(target, force); err != nil {
		return err
	}
	report := newReporter(progress)
	staged := target + ".restoring"
	defer func() { err = errors.Join(err, removeIfThere(staged)) }()
	age, err := source.fetch(ctx, staged, report)
	if err != nil {
		return err
	}
	summary, err := verify(ctx, staged, report)
	if err != nil {
		return fmt.Errorf("%s is not restored: %w", source.name(), err)
	}
	summary += age
	aside, err := setAside(ctx, target)
	if err != nil {
		return err
	}
	if err := publish(staged, target); err != nil {
		return err
	}
	if aside {
		summary += "; the former database is " + formerOf(target)
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", target, summary)
	return err
}

func copyFile(ctx context.Context, from, to string, report *reporter) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	size, err := source.Stat()
	if err != nil {
		return err
	}
	if err := makePrivate(to); err != nil {
		return err
	}
	copied, err := os.OpenFile(to, os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	const chunk = 4 << 20
	for done := int64(0); ; {
		n, err := io.CopyN(copied, source, chunk)
		done += n
		switch {
		case errors.Is(err, io.EOF):
			return copied.Sync()
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		report.progress("copied", done, size.Size(), "bytes")
	}
}

func formerOf(database string) string { return database + ".before-restore" }

// setAside gives the database a second name, so that it stays when it is replaced, and moves its write-ahead log, which
// would be applied to the new database. It returns whether there is a database.
func setAside(ctx context.Context, database string) (bool, error) {
	if _, err := os.Stat(database); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = nil
		}
		return false, errors.Join(err, removeIfThere(database+"-wal"), removeIfThere(database+"-shm"))
	}
	former := formerOf(database)
	for _, ending := range []string{"", "-wal", "-shm"} {
		if err := removeIfThere(former + ending); err != nil {
			return false, err
		}
	}
	// Closing the database checkpoints the log. A damaged database keeps its log.
	if d, err := dbopen.Open(ctx, db.Config{File: database}); err == nil {
		_ = d.Close() // the database is replaced even if it cannot be closed
	}
	if err := os.Link(database, former); err != nil {
		return false, err
	}
	if err := os.Rename(database+"-wal", former+"-wal"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	return true, errors.Join(removeIfThere(database+"-shm"), flush(filepath.Dir(database)))
}

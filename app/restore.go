package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"punchcard/platform/db"
)

// Restore puts a backup in the place of the SQLite database while no server runs. The backup is copied beside the
// database and verified there first; until then nothing changes. force replaces a database that is there, which
// stays beside the new one as FILE.before-restore.
func Restore(ctx context.Context, config Database, file string, force bool, out, progress io.Writer) (err error) {
	if config.Database != "" {
		return errRestoreOtherwise
	}
	if err := complete(file); err != nil {
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
	told := newTeller(progress)
	staged := target + ".restoring"
	defer func() { err = errors.Join(err, removeIfThere(staged)) }()
	if err := copyFile(ctx, file, staged, told); err != nil {
		return err
	}
	summary, err := verify(ctx, staged, told)
	if err != nil {
		return fmt.Errorf("%s is not restored: %w", file, err)
	}
	aside, err := setAside(ctx, target)
	if err != nil {
		return err
	}
	// The queue holds what the former database told. The relay fills a new one from the restored database.
	if err := os.RemoveAll(config.queue()); err != nil {
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

// complete refuses what is no backup: a database that is in use, or was until a crash, has a log beside it.
func complete(file string) error {
	if _, err := os.Stat(file); err != nil {
		return err
	}
	if log, err := os.Stat(file + "-wal"); err == nil && log.Size() > 0 {
		return fmt.Errorf("%s has a log beside it: it is a database in use, not a backup", file)
	}
	return nil
}

func copyFile(ctx context.Context, from, to string, told *teller) (err error) {
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
		told.tell("copied", done, size.Size(), "bytes")
	}
}

func formerOf(database string) string { return database + ".before-restore" }

// setAside gives the database a second name, so that it stays when its own is given to another, and takes away its
// log, which would be read into the other. It tells whether there is a database.
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
	// The last one to close a database writes its log into it. One that is damaged keeps its log beside it.
	if d, err := db.Open(ctx, db.Config{File: database}); err == nil {
		_ = d.Close() // a database that cannot be closed is one more reason to replace it
	}
	if err := os.Link(database, former); err != nil {
		return false, err
	}
	if err := os.Rename(database+"-wal", former+"-wal"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	return true, errors.Join(removeIfThere(database+"-shm"), flush(filepath.Dir(database)))
}

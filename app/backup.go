package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
)

var (
	errBackUpOtherwise  = errors.New("PostgreSQL is backed up with its own pg_dump: docs/backup.md tells how")
	errRestoreOtherwise = errors.New("PostgreSQL is restored with its own pg_restore: docs/backup.md tells how")
)

// Backup copies the SQLite database as it is at one moment into a file, while the server goes on, and reads the copy
// to make sure that it is good. The file appears when it is complete. force replaces one that is there.
func Backup(ctx context.Context, config Database, file string, force bool, out, progress io.Writer) (err error) {
	if config.Database != "" {
		return errBackUpOtherwise
	}
	if err := mayWrite(file, force); err != nil {
		return err
	}
	partial := file + ".partial"
	if err := makePrivate(partial); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeIfThere(partial)) }()
	source, err := db.Open(ctx, db.Config{File: config.file(), ReadOnly: true})
	if err != nil {
		return err
	}
	told := newTeller(progress)
	err = source.Backup(ctx, partial, func(done, of int) { told.tell("copied", int64(done), int64(of), "pages") })
	if err := errors.Join(err, source.Close()); err != nil {
		return err
	}
	summary, err := verify(ctx, partial, told)
	if err != nil {
		return err
	}
	if err := publish(partial, file); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", file, summary)
	return err
}

// mayWrite refuses to replace a file unless that is asked for.
func mayWrite(file string, force bool) error {
	if force {
		return nil
	}
	_, err := os.Lstat(file)
	switch {
	case err == nil:
		return fmt.Errorf("%s is there already; --force replaces it", file)
	case errors.Is(err, os.ErrNotExist):
		return nil
	}
	return err
}

// makePrivate makes an empty file that only its owner can read, in the place of one that was left over.
func makePrivate(file string) error {
	if err := removeIfThere(file); err != nil {
		return err
	}
	made, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return made.Close()
}

func removeIfThere(file string) error {
	if err := os.Remove(file); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// publish gives a complete file its name, once its content is on the disk, and returns when the name is there too.
func publish(partial, file string) error {
	if err := flush(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, file); err != nil {
		return err
	}
	return flush(filepath.Dir(file))
}

// flush writes what the system still holds of a file, or of the names in a folder, to the disk.
func flush(name string) error {
	opened, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// verify reads all of a database file without changing it, and tells what is in it. One that a newer program made is
// refused.
func verify(ctx context.Context, file string, told *teller) (summary string, err error) {
	d, err := db.Open(ctx, db.Config{File: file, ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	told.say("verifying " + file)
	if err := d.Verify(ctx); err != nil {
		return "", err
	}
	current, newest, err := d.SchemaVersion(ctx, migrations.Files)
	switch {
	case err != nil:
		return "", fmt.Errorf("%s is no database of Punchcard: %w", file, err)
	case current > newest:
		return "", fmt.Errorf("%s has schema %d, made by a newer program; this one knows up to %d", file, current, newest)
	}
	tables, rows, err := d.CountRows(ctx)
	if err != nil {
		return "", err
	}
	size, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes, schema %d, %d rows in %d tables, verified", size.Size(), current, rows, tables), nil
}

// teller tells a person how far a long run is, every progressEvery.
type teller struct {
	to   io.Writer
	last time.Time
}

func newTeller(to io.Writer) *teller { return &teller{to, time.Now()} }

func (t *teller) tell(what string, done, of int64, unit string) {
	if now := time.Now(); now.Sub(t.last) >= progressEvery {
		t.last = now
		t.say(fmt.Sprintf("%s %d of %d %s", what, done, of, unit))
	}
}

func (t *teller) say(text string) {
	_, _ = fmt.Fprintln(t.to, text) // who does not listen is no reason to stop
}

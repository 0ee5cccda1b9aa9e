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
	"punchcard/platform/db/dbopen"
)

var (
	errBackUpOtherwise  = errors.New("PostgreSQL is backed up with pg_dump: docs/backup.md describes how")
	errRestoreOtherwise = errors.New("PostgreSQL is restored with pg_restore: docs/backup.md describes how")
)

// Backup copies a snapshot of the SQLite database into a file, while the server runs, and verifies the copy. The file
// appears when it is complete. force replaces an existing file.
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
	source, err := dbopen.Open(ctx, db.Config{File: config.file(), ReadOnly: true})
	if err != nil {
		return err
	}
	report := newReporter(progress)
	err = source.Backup(ctx, partial, func(done, of int) { report.progress("copied", int64(done), int64(of), "pages") })
	if err := errors.Join(err, source.Close()); err != nil {
		return err
	}
	summary, err := verify(ctx, partial, report)
	if err != nil {
		return err
	}
	if err := publish(partial, file); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", file, summary)
	return err
}

// mayWrite refuses to replace a file without force.
func mayWrite(file string, force bool) error {
	if force {
		return nil
	}
	_, err := os.Lstat(file)
	switch {
	case err == nil:
		return fmt.Errorf("%s exists already; --force replaces it", file)
	case errors.Is(err, os.ErrNotExist):
		return nil
	}
	return err
}

// makePrivate creates an empty file that only its owner can read. It replaces a leftover.
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

// publish syncs a complete file, renames it and syncs the folder.
func publish(partial, file string) error {
	if err := flush(partial); err != nil {
		return err
	}
	if err := os.Rename(partial, file); err != nil {
		return err
	}
	return flush(filepath.Dir(file))
}

// flush syncs a file or a folder to the disk.
func flush(name string) error {
	opened, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(opened.Sync(), opened.Close())
}

// verify reads a whole database file without changing it, and returns a summary. It refuses a file that the
// program cannot use.
func verify(ctx context.Context, file string, report *reporter) (summary string, err error) {
	d, err := dbopen.Open(ctx, db.Config{File: file, Program: Version, ReadOnly: true})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	report.print("verifying " + file)
	if err := d.Verify(ctx, false); err != nil {
		return "", err
	}
	current, _, err := d.CheckSchema(ctx, migrations.Files)
	if err != nil {
		return "", fmt.Errorf("%s is no database of Punchcard that this program can use: %w", file, err)
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

// reporter prints the progress of a long command, every progressEvery.
type reporter struct {
	to   io.Writer
	last time.Time
}

func newReporter(to io.Writer) *reporter { return &reporter{to, time.Now()} }

func (t *reporter) progress(what string, done, of int64, unit string) {
	t.say(fmt.Sprintf("%s %d of %d %s", what, done, of, unit))
}

// say prints a line, unless the last one is too recent.
func (t *reporter) say(text string) {
	if now := time.Now(); now.Sub(t.last) >= progressEvery {
		t.last = now
		t.print(text)
	}
}

func (t *reporter) print(text string) {
	_, _ = fmt.Fprintln(t.to, text) // an error of the output does not stop the command
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"punchcard/platform/replica"
)

// Source names a backup, or a copy off the machine, to restore.
type Source struct {
	File string    `arg:"" optional:"" help:"Backup to read."`
	From string    `placeholder:"URL" help:"Place of a copy to read instead: file:///…, s3://… or sftp://…"`
	At   time.Time `placeholder:"TIME" help:"Moment of the copy, such as 2026-01-02T15:04:05Z; the last one by default."`
	Access
}

func (s *Source) name() string { return s.File + s.From }

// complete refuses a database that is in use, or was in use until a crash, which has a write-ahead log.
func (s *Source) complete() error {
	switch {
	case (s.File == "") == (s.From == ""):
		return errors.New("want either a backup or --from")
	case s.From != "":
		return nil
	case !s.At.IsZero():
		return errors.New("--at needs --from: a backup holds one moment")
	}
	if _, err := os.Stat(s.File); err != nil {
		return err
	}
	if log, err := os.Stat(s.File + "-wal"); err == nil && log.Size() > 0 {
		return fmt.Errorf("%s has a write-ahead log: it is a database in use, not a backup", s.File)
	}
	return nil
}

// fetch writes the database into a file. It returns how old the copy is.
func (s *Source) fetch(ctx context.Context, to string, report *reporter) (age string, err error) {
	if s.File != "" {
		return "", copyFile(ctx, s.File, to, report)
	}
	place, seal, err := s.place(s.From)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	if err := makePrivate(to); err != nil {
		return "", err
	}
	file, err := os.OpenFile(to, os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	restored, err := replica.Restore(ctx, place, seal, s.At, file, func(files int) {
		report.say(fmt.Sprintf("restored %d files", files))
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("; generation %s, %d files, last transaction at %s, %s ago", restored.Generation, restored.Files,
		restored.Last.Format(time.RFC3339Nano), time.Since(restored.Last).Round(100*time.Millisecond)), nil
}

// Rehearse restores a source into a temporary folder and checks it like Check. It changes nothing else, and returns the
// number of findings.
func Rehearse(ctx context.Context, config Database, source Source, out, progress io.Writer) (
	findings int64, err error) {
	if config.Database != "" {
		return 0, errRestoreOtherwise
	}
	if err := source.complete(); err != nil {
		return 0, err
	}
	folder, err := os.MkdirTemp("", "punchcard-restore-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	config.Data = folder
	report := newReporter(progress)
	age, err := source.fetch(ctx, config.file(), report)
	if err != nil {
		return 0, err
	}
	summary, err := verify(ctx, config.file(), report)
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Fprintf(out, "%s: %s%s\n", source.name(), summary, age); err != nil {
		return 0, err
	}
	// The copy of an older program is checked as it would be after the start of this one.
	if err := Migrate(ctx, config, true, out, progress); err != nil {
		return 0, err
	}
	return Check(ctx, config, Kinds{}, out, progress)
}

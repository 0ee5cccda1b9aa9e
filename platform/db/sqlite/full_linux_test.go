package sqlite_test

import (
	"errors"
	"fmt"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"punchcard/platform/db"
)

// limitFiles limits how large files may become. Writes beyond fail, as on a full disk.
func limitFiles(t *testing.T, bytes uint64) {
	t.Helper()
	var limit syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit)
	if limit.Cur = min(bytes, limit.Max); err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A log that cannot grow refuses operations whose pages do not fit. The next one that fits is stored, and a crash
// afterwards loses nothing but what was refused.
func TestLogThatCannotGrow(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	defer limitFiles(t, 1<<63-1)
	file := filepath.Join(t.TempDir(), "data.db")
	d := openFile(t, file)
	defer closeFile(t, d)
	for _, text := range []string{
		`CREATE TABLE event_cursors (name TEXT PRIMARY KEY, last_id BIGINT)`,
		`PRAGMA cache_size = 10`, // further pages are in the log before the commit
	} {
		if err := d.Write(background, func(tx *db.Tx) error { _, err := tx.Exec(text); return err }); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat("x", 3000)
	want := int64(0)
	for try := range 12 {
		limitFiles(t, uint64(len(readFile(t, file+"-wal"))+50_000))
		if err := d.Write(background, func(tx *db.Tx) error {
			for row := range 300 {
				if err := add(tx, fmt.Sprint("t", try, "-", row, long)); err != nil {
					return err
				}
			}
			return nil
		}); !errors.Is(err, db.ErrBusy) {
			t.Errorf("try %d: an operation of a megabyte in a log that cannot grow: %v", try, err)
		}
		limitFiles(t, 1<<63-1)
		if err := d.Write(background, func(tx *db.Tx) error { return add(tx, fmt.Sprint("t", try)) }); err != nil {
			t.Errorf("try %d: after the disk has room again: %v", try, err)
		}
		want++
		if n := int64(countIn(t, readFile(t, file), readFile(t, file+"-wal"))); n != want {
			t.Fatalf("try %d: %d rows after a crash, want %d", try, n, want)
		}
	}
}

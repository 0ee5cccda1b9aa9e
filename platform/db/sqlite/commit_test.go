package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/sqlite"
)

// Bytes of a page in a write-ahead log: those before it, and with them.
const frameHeader, frame = 24, 24 + 4096

func openFile(t *testing.T, file string) *db.DB {
	t.Helper()
	d, err := sqlite.Open(db.Config{File: file})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func closeFile(t *testing.T, d *db.DB) {
	t.Helper()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// SQLite syncs the write-ahead log at each commit, so that a write is on the disk when Write returns.
func TestCommitsAreSynced(t *testing.T) {
	const full = 2 // https://sqlite.org/pragma.html#pragma_synchronous
	d := openFile(t, filepath.Join(t.TempDir(), "data.db"))
	defer closeFile(t, d)
	if err := d.Write(background, func(tx *db.Tx) error {
		mode, err := db.Value[string](tx, `PRAGMA journal_mode`)
		sync, syncErr := db.Value[int64](tx, `PRAGMA synchronous`)
		if mode != "wal" || sync != full {
			t.Errorf("the journal is in mode %s with synchronous = %d", mode, sync)
		}
		return errors.Join(err, syncErr)
	}); err != nil {
		t.Fatal(err)
	}
}

// A write-ahead log that a crash cut off between any two pages, between the two parts of one or within it, holds each
// commit that was acknowledged before, and nothing of the next one.
func TestCutLogHoldsWholeCommits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "50% of #1?", "data.db") // characters with a meaning in a URI
	d := openFile(t, file)
	defer closeFile(t, d)
	if err := d.Write(background, func(tx *db.Tx) error {
		_, err := tx.Exec(`CREATE TABLE event_cursors (name TEXT PRIMARY KEY, last_id BIGINT)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	type commit struct{ rows, end int }
	commits := []commit{{0, len(readFile(t, file+"-wal"))}}
	rows := 0
	for _, more := range []int{1, 2, 40, 1} {
		if err := d.Write(background, func(tx *db.Tx) (err error) {
			for range more {
				rows++
				err = errors.Join(err, add(tx, fmt.Sprint("t", rows, strings.Repeat("x", 3000))))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		commits = append(commits, commit{rows, len(readFile(t, file+"-wal"))})
	}
	database, log := readFile(t, file), readFile(t, file+"-wal")
	for begin := commits[0].end; begin <= len(log); begin += frame {
		for _, size := range []int{begin, begin + frameHeader, begin + frame/2} {
			want := 0
			for _, c := range commits {
				if c.end <= size {
					want = c.rows
				}
			}
			if n := countIn(t, database, log[:min(size, len(log))]); n != want {
				t.Errorf("a log of %d of %d bytes holds %d rows, want %d", size, len(log), n, want)
			}
		}
	}
}

// countIn returns the rows of a database that a crash left behind.
func countIn(t *testing.T, database, log []byte) int {
	t.Helper()
	file := filepath.Join(t.TempDir(), "data.db")
	if err := errors.Join(os.WriteFile(file, database, 0o600), os.WriteFile(file+"-wal", log, 0o600)); err != nil {
		t.Fatal(err)
	}
	d := openFile(t, file)
	defer closeFile(t, d)
	return int(count(t, d))
}

package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/db/sqlite"
)

// The write-ahead log stays short while many write and read.
func TestLogStaysShort(t *testing.T) {
	const pages, writes, readers = 50, 500, 2
	config := dbtest.Config(t, "sqlite")
	config.CheckpointPages = pages
	d, err := sqlite.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	written := make(chan struct{})
	var reading sync.WaitGroup
	for range readers {
		reading.Go(func() {
			for {
				select {
				case <-written:
					return
				default:
					count(t, d)
				}
			}
		})
	}
	longest := int64(0)
	for i := range writes {
		err := d.Write(background, func(tx *db.Tx) error { return add(tx, fmt.Sprint("t", i, strings.Repeat("x", 3000))) })
		if err != nil {
			t.Fatal(err)
		}
		log, err := os.Stat(config.File + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, log.Size()/4096)
	}
	close(written)
	reading.Wait()
	if n := count(t, d); n != writes {
		t.Errorf("%d rows, want %d", n, writes)
	}
	// Each write has three pages or more.
	if longest > 20*pages {
		t.Errorf("the log had %d pages", longest)
	}
}

// A closed database is one file, also after interrupted reads on all connections.
func TestClosedDatabaseIsOneFile(t *testing.T) {
	config := dbtest.Config(t, "sqlite")
	config.Clock = time.Now
	d, err := sqlite.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(background, func(tx *db.Tx) error { return add(tx, "t1") }); err != nil {
		t.Fatal(err)
	}
	ctx, cut := context.WithCancel(background)
	var started, reading sync.WaitGroup
	started.Add(sqlite.Readers)
	for range sqlite.Readers {
		reading.Go(func() {
			err := d.Read(ctx, func(tx *db.Tx) error {
				return db.Each(tx, func(i *int64) []any { return []any{i} }, func(int64) { started.Done() },
					`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i = 1`)
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a read that was cut off returned %v", err)
			}
		})
	}
	started.Wait()
	cut()
	reading.Wait()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if log, err := os.Stat(config.File + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a log is left: %v, %v", log, err)
	}
}

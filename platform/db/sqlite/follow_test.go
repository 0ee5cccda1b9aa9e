package sqlite_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/db/sqlite"
)

// A follower that reads now and then sees every page of every commit, while the log restarts again and again and stays
// short, and a snapshot is read.
func TestFollowerSeesEveryCommit(t *testing.T) {
	const pages, writes = 50, 400
	config, d := openWithCheckpoints(t, pages)
	defer closeFile(t, d)
	f, err := d.Follow()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Follow(); err == nil {
		t.Error("a second follower is accepted")
	}
	if _, err := f.Changes(); !errors.Is(err, db.ErrLost) {
		t.Errorf("changes before the first snapshot: %v", err)
	}
	followed := map[uint32][]byte{}
	readSnapshot(t, f, followed)
	var writing sync.WaitGroup
	written := make(chan struct{})
	longest := int64(0)
	writing.Go(func() {
		defer close(written)
		for i := range writes {
			if err := d.Write(background, func(tx *db.Tx) error {
				return add(tx, fmt.Sprint("t", i, strings.Repeat("x", 3000)))
			}); err != nil {
				t.Error(err)
			}
			if i%20 == 0 { // more looks would fill the log of the test, whose size another test limits
				if log, err := os.Stat(config.File + "-wal"); err == nil {
					longest = max(longest, log.Size()/4096)
				}
			}
		}
	})
	for n, last := 0, false; ; n++ {
		changes, err := f.Changes()
		if err != nil {
			t.Fatal(err)
		}
		for number, page := range changes.Pages {
			followed[number] = bytes.Clone(page)
		}
		if last {
			break
		}
		if n == 20 {
			readSnapshot(t, f, followed)
		}
		select {
		case <-written:
			last = true
		default:
		}
	}
	writing.Wait()
	if waiting := f.Waiting(); waiting != 0 {
		t.Errorf("%d bytes wait", waiting)
	}
	if longest > 20*pages {
		t.Errorf("the log had %d pages", longest)
	}
	comparePages(t, d, followed)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func comparePages(t *testing.T, d *db.DB, followed map[uint32][]byte) {
	t.Helper()
	if err := d.Read(background, func(tx *db.Tx) error {
		number := uint32(0)
		return db.Each(tx, func(page *[]byte) []any { return []any{page} }, func(page []byte) {
			if number++; !bytes.Equal(page, followed[number]) {
				t.Errorf("page %d is not the one that was followed", number)
			}
		}, `SELECT data FROM sqlite_dbpage('main')`)
	}); err != nil {
		t.Fatal(err)
	}
}

func readSnapshot(t *testing.T, f db.Follower, followed map[uint32][]byte) {
	t.Helper()
	s, err := f.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	clear(followed)
	if err := errors.Join(s.Each(func(number uint32, page []byte) error {
		followed[number] = bytes.Clone(page)
		return nil
	}), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// openWithCheckpoints opens an empty database in which a checkpoint is due after a number of pages.
func openWithCheckpoints(t *testing.T, pages int64) (db.Config, *db.DB) {
	t.Helper()
	config := dbtest.Config(t, "sqlite")
	config.CheckpointPages = pages
	d, err := sqlite.Open(config)
	if err != nil {
		t.Fatal(err)
	}
	return config, d
}

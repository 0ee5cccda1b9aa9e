package db_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// The log stays short while many write and read: it is copied beside them, and begins anew.
func TestLogStaysShort(t *testing.T) {
	const pages, writes, readers = 50, 500, 2
	config := dbtest.Config(t, "sqlite")
	d := dbtest.Open(t, config, time.Now)
	if err := d.KeepLog(pages); err != nil {
		t.Fatal(err)
	}
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

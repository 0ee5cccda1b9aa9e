package queue

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// A restored database assigns the ids of lost events again, to other events. A new queue gets exactly
// the events of the database. A queue that has the lost events keeps them and gets the new ones after
// them, although it had messages with the same ids.
func TestRelayOfARestoredDatabase(t *testing.T) {
	for _, durable := range []bool{false, true} {
		t.Run(fmt.Sprintf("the queue is reused: %v", durable), func(t *testing.T) {
			t.Parallel()
			q := openNew(t)
			restored := restoredDatabase(t, q)
			if !durable {
				q = openNew(t)
			}
			_, stop := startRelay(restored, q, alone())
			defer stop()
			relayUntil(t, 8, restored)
			stop()
			want := []int64{1, 2, 3, 4, 5, 6, 7, 8}
			if durable {
				want = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 6, 7, 8}
			}
			if ids := contents(t, q); !slices.Equal(ids, want) {
				t.Errorf("the queue holds %v, want %v", ids, want)
			}
			_, id, last, err := q.end(context.Background())
			if err != nil || id != 8 || last.Header.Get(headerAggregate) != "again" {
				t.Errorf("the queue ends with %d of %q, %v", id, last.Header.Get(headerAggregate), err)
			}
		})
	}
}

// restoredDatabase relays ten events of a database into the queue. It returns a backup from when it had five, with
// three new ones.
func restoredDatabase(t *testing.T, q *Queue) *db.DB {
	t.Helper()
	config := dbtest.Config(t, "sqlite")
	d := dbtest.Open(t, config, time.Now)
	_, stop := startRelay(d, q, alone())
	defer stop()
	appendMany(t, d, "before", 1, 5)
	relayUntil(t, 5, d)
	config.ReadOnly = true
	backup := filepath.Join(t.TempDir(), "backup.db")
	if err := dbtest.Open(t, config, time.Now).Backup(t.Context(), backup, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	appendMany(t, d, "lost", 1, 5)
	relayUntil(t, 10, d)
	restored := dbtest.Open(t, db.Config{File: backup}, time.Now)
	appendMany(t, restored, "again", 1, 3)
	return restored
}

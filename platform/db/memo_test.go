package db_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// remembered reads a number in batches that share a memo.
type remembered struct {
	memo  *db.Memo[string, int64]
	sets  *db.Batch[string, int64]
	reads atomic.Int64 // that were not found in the memo
}

func newRemembered(d *db.DB, limit int) *remembered {
	r := &remembered{memo: db.NewMemo[string, int64](limit)}
	r.sets = db.NewReadBatch(d, func(tx *db.Tx, names []string) ([]db.Outcome[int64], error) {
		outcomes := make([]db.Outcome[int64], len(names))
		err := tx.FindVersion()
		for i, name := range names {
			if err == nil {
				outcomes[i].Value, err = r.value(tx, name)
			}
		}
		return outcomes, err
	})
	return r
}

func (r *remembered) value(tx *db.Tx, name string) (int64, error) {
	if n, found := r.memo.Find(tx, name); found {
		return n, nil
	}
	r.reads.Add(1)
	n, err := db.Value[int64](tx, `SELECT last_id FROM event_cursors WHERE name = $1`, name)
	if err == nil {
		r.memo.Keep(tx, name, n)
	}
	return n, err
}

// get returns the value, and whether it was read rather than found.
func (r *remembered) get(t *testing.T, name string) (n int64, read bool) {
	t.Helper()
	before := r.reads.Load()
	n, err := r.sets.Do(background, name)
	if err != nil {
		t.Fatal(err)
	}
	return n, r.reads.Load() > before
}

// find reads until the value is found. On PostgreSQL, a write to another database changes the version.
func (r *remembered) find(t *testing.T, name string) int64 {
	t.Helper()
	const attempts = 10_000
	for range attempts {
		if n, read := r.get(t, name); !read {
			return n
		}
	}
	t.Fatalf("%s is read again and again", name)
	return 0
}

func set(tx *db.Tx, name string, n int64) error {
	return tx.Insert("event_cursors", "name, last_id", "ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id",
		[]any{name, n})
}

// A value is found until any node writes, or the second ends.
func TestMemo(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
			config := dbtest.Config(t, engine)
			d, other := dbtest.Open(t, config, clock.Now), dbtest.Open(t, config, clock.Now)
			r := newRemembered(d, 3)
			for n, node := range []*db.DB{d, other, d} {
				if err := node.Write(background, func(tx *db.Tx) error { return set(tx, "t", int64(n)) }); err != nil {
					t.Fatal(err)
				}
				if got, read := r.get(t, "t"); got != int64(n) || !read {
					t.Errorf("after a write: %d, read again: %t", got, read)
				}
				if got := r.find(t, "t"); got != int64(n) {
					t.Errorf("found %d, want %d", got, n)
				}
			}
			clock.Advance(time.Second)
			if _, read := r.get(t, "t"); !read {
				t.Error("what is of the second before is found")
			}
			for _, name := range []string{"t", "relay", "numbering"} {
				r.find(t, name)
			}
			if _, read := r.get(t, "one too many"); !read {
				t.Error("what was never read is found")
			}
			if _, read := r.get(t, "t"); !read {
				t.Error("more than the limit is kept")
			}
		})
	}
}

// Operations other than batches of reads have no version.
func TestMemoIsOfBatches(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		memo := db.NewMemo[string, int64](10)
		use := func(tx *db.Tx) error {
			err := tx.FindVersion()
			memo.Keep(tx, "t", 1)
			if _, found := memo.Find(tx, "t"); found {
				t.Error("found")
			}
			return err
		}
		if err := errors.Join(d.Read(background, use), d.Write(background, use), d.Snapshot(background, use)); err != nil {
			t.Error(err)
		}
	})
}

// No batch finds a value that is older than what was committed when it began.
func TestMemoIsNeverOlder(t *testing.T) {
	// A standing clock lets nothing end with its second.
	standing := func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	dbtest.EachAt(t, standing, func(t *testing.T, d *db.DB) {
		const writes, readers = 300, 8
		r := newRemembered(d, 10)
		var committed atomic.Int64
		var all sync.WaitGroup
		all.Go(func() {
			for n := int64(1); n <= writes; n++ {
				if err := d.Write(background, func(tx *db.Tx) error { return set(tx, "t", n) }); err != nil {
					t.Error(err)
				}
				committed.Store(n)
			}
		})
		for range readers {
			all.Go(func() {
				for least := int64(0); least < writes; {
					least = max(least, committed.Load())
					got, err := r.sets.Do(background, "t")
					if err != nil || got < least {
						t.Errorf("read %d after %d was committed: %v", got, least, err)
						return
					}
				}
			})
		}
		all.Wait()
		if got := r.find(t, "t"); got != writes {
			t.Errorf("at the end %d", got)
		}
	})
}

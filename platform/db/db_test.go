package db_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func TestMain(m *testing.M) { dbtest.MainOnBoth(m) }

var background = context.Background()

func count(t *testing.T, d *db.DB) int64 {
	t.Helper()
	var n int64
	err := d.Read(background, func(tx *db.Tx) (err error) {
		n, err = db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func add(tx *db.Tx, name string) error {
	return tx.Insert("event_cursors", "name, last_id", "", []any{name, 1})
}

func TestWriteIsSeenAndAFailedOneIsNot(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.Write(background, func(tx *db.Tx) error { return add(tx, "t1") }); err != nil {
			t.Fatal(err)
		}
		refused := fault.New(fault.Refused, "test", "no")
		err := d.Write(background, func(tx *db.Tx) error { return errors.Join(add(tx, "t2"), refused) })
		if !errors.Is(err, refused) {
			t.Fatalf("got %v", err)
		}
		if n := count(t, d); n != 1 {
			t.Fatalf("%d rows", n)
		}
	})
}

// The hook for slow disks runs before a write is stored.
func TestBeforeCommit(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			var d *db.DB
			var seen []int64
			config := dbtest.Config(t, engine)
			config.BeforeCommit = func() { seen = append(seen, count(t, d)) }
			d = dbtest.Open(t, config, time.Now)
			for _, name := range []string{"t1", "t2"} {
				if err := d.Write(background, func(tx *db.Tx) error { return add(tx, name) }); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(seen, []int64{0, 1}) || count(t, d) != 2 {
				t.Errorf("rows before each commit: %v", seen)
			}
		})
	}
}

// A group shares one commit. Members that fail, panic or are refused do not affect the others. OnCommit is called for
// each of those that are stored, before Write returns, and for no other.
func TestConcurrentWritesFailAlone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var commits atomic.Int64
		d.OnCommit(func() { commits.Add(1) })
		var all sync.WaitGroup
		for i := range 300 {
			all.Go(func() {
				err := d.Write(background, func(tx *db.Tx) error {
					if err := add(tx, fmt.Sprintf("t%d", i)); err != nil {
						return err
					}
					switch i % 3 {
					case 1:
						return fault.ErrNotFound
					case 2:
						panic("a defect")
					}
					return nil
				})
				if (err == nil) != (i%3 == 0) {
					t.Errorf("write %d: %v", i, err)
				}
			})
		}
		all.Wait()
		if n := count(t, d); n != 100 || commits.Load() != n {
			t.Fatalf("%d rows and %d calls of OnCommit, want 100", n, commits.Load())
		}
	})
}

// An operation that ends the shared transaction does not affect the others: those that succeed alone are
// stored, and those that are refused alone are refused.
func TestLostGroupIsRunAgainOneByOne(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "sqlite"), time.Now) // PostgreSQL shares no transaction
	started, release := make(chan struct{}), make(chan struct{})
	var commits atomic.Int64
	d.OnCommit(func() { commits.Add(1) })
	refused := fault.New(fault.Refused, "test", "no")
	operations := []struct {
		run  func(tx *db.Tx) error
		want func(err error) bool
	}{
		{func(tx *db.Tx) error { return add(tx, "t1") }, func(err error) bool { return err == nil }},
		{func(tx *db.Tx) error { return errors.Join(add(tx, "t2"), refused) },
			func(err error) bool { return errors.Is(err, refused) }},
		{func(tx *db.Tx) error { _, err := tx.Exec(`ROLLBACK`); return err }, func(err error) bool { return err != nil }},
		{func(tx *db.Tx) error { return add(tx, "t3") }, func(err error) bool { return err == nil }},
		{func(tx *db.Tx) error { return errors.Join(add(tx, "t4"), refused) },
			func(err error) bool { return errors.Is(err, refused) }},
	}
	var all sync.WaitGroup
	all.Go(func() { // holds the writer until the others wait, so that they share a group
		_ = d.Write(background, func(*db.Tx) error { close(started); <-release; return nil })
	})
	<-started
	for i, o := range operations {
		all.Go(func() {
			if err := d.Write(background, o.run); !o.want(err) {
				t.Errorf("operation %d: %v", i, err)
			}
		})
	}
	for d.Stats().WritesWaiting < int64(len(operations)) {
		runtime.Gosched()
	}
	close(release)
	all.Wait()
	if n := count(t, d); n != 2 || commits.Load() != 3 { // the write that held the others has no row
		t.Errorf("%d rows and %d calls of OnCommit, want 2 and 3", n, commits.Load())
	}
}

// Concurrent additions to one row are all stored, however the database resolves conflicts.
func TestLockedRowLosesNoUpdate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.Write(background, func(tx *db.Tx) error { return add(tx, "t") }); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() {
				err := d.Write(background, func(tx *db.Tx) error {
					n, err := db.Value[int64](tx, `SELECT last_id FROM event_cursors WHERE name = $1 FOR UPDATE`, "t")
					if err != nil {
						return err
					}
					_, err = tx.Exec(`UPDATE event_cursors SET last_id = $2 WHERE name = $1`, "t", n+1)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		err := d.Read(background, func(tx *db.Tx) error {
			n, err := db.Value[int64](tx, `SELECT last_id FROM event_cursors WHERE name = $1`, "t")
			if n != 201 {
				t.Errorf("%d, want 201", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// Operations that lock two rows in opposite order deadlock on PostgreSQL. Both must succeed.
func TestDeadlocksAreRetried(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(background, func(tx *db.Tx) error { return errors.Join(add(tx, "t1"), add(tx, "t2")) })
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := range 6 {
			first, second := "t1", "t2"
			if i%2 == 0 {
				first, second = second, first
			}
			all.Go(func() {
				err := d.Write(background, func(tx *db.Tx) error {
					for _, name := range []string{first, second} {
						if _, err := tx.Exec(`UPDATE event_cursors SET last_id = last_id + 1 WHERE name = $1`, name); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		err = d.Read(background, func(tx *db.Tx) error {
			sum, err := db.Value[int64](tx, `SELECT CAST(SUM(last_id) AS BIGINT) FROM event_cursors WHERE name LIKE 't%'`)
			if sum != 14 {
				t.Errorf("sum %d, want 14", sum)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// A distributed PostgreSQL refuses transactions that cannot be put in an order with others.
func TestSerializationFailuresAreRetried(t *testing.T) {
	d := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	attempts := 0
	if err := d.Write(background, func(tx *db.Tx) error {
		if attempts++; attempts > 1 {
			return nil
		}
		_, err := tx.Exec("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END $$")
		return err
	}); err != nil || attempts != 2 {
		t.Errorf("after %d attempts: %v", attempts, err)
	}
}

func TestMigrateRefusesANewerSchema(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			d := dbtest.Open(t, dbtest.Config(t, engine), time.Now)
			newer := fstest.MapFS{"0101_stores.sql": &fstest.MapFile{Data: []byte("-- +goose Up\nSELECT 1;")},
				"9999_future.sql": &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE future (x BIGINT);")}}
			if err := d.Migrate(background, newer); err != nil {
				t.Fatal(err)
			}
			if err := d.Migrate(background, migrations.Files); err == nil {
				t.Fatal("an older program accepted a newer schema")
			}
		})
	}
}

// Several nodes can start at once on an empty database.
func TestConcurrentStartsMigrateOnce(t *testing.T) {
	cluster, err := dbtest.Postgres()
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.CreateDatabase("concurrent_starts"); err != nil {
		t.Fatal(err)
	}
	configs := map[string]db.Config{
		"sqlite":   {File: t.TempDir() + "/fresh.db"},
		"postgres": {URL: cluster.URL("concurrent_starts")},
	}
	for engine, config := range configs {
		t.Run(engine, func(t *testing.T) {
			var all sync.WaitGroup
			for range 4 {
				d := dbtest.Open(t, config, time.Now)
				all.Go(func() {
					if err := d.Migrate(background, migrations.Files); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		})
	}
}

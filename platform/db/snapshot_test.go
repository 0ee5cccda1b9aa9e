package db_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/db/dbtest"
)

func TestSnapshotSeesOneMomentAndCannotWrite(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		write := func(name string) {
			t.Helper()
			if err := d.Write(background, func(tx *db.Tx) error { return add(tx, name) }); err != nil {
				t.Fatal(err)
			}
		}
		write("t1")
		err := d.Snapshot(background, func(tx *db.Tx) error {
			for _, name := range []string{"t2", "t3"} {
				write(name)
				n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
				if err != nil || n != 1 {
					t.Errorf("%d rows, %v", n, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Snapshot(background, func(tx *db.Tx) error { return add(tx, "t4") }); err == nil {
			t.Error("a snapshot wrote")
		}
		if n := count(t, d); n != 3 {
			t.Errorf("%d rows", n)
		}
	})
}

// A read-only database is neither created nor changed.
func TestReadOnly(t *testing.T) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			config := dbtest.Config(t, engine)
			writer := dbtest.Open(t, config, time.Now)
			config.ReadOnly = true
			reader := dbtest.Open(t, config, time.Now)
			if err := reader.Write(background, func(tx *db.Tx) error { return add(tx, "t1") }); err == nil {
				t.Error("it wrote")
			}
			if err := writer.Write(background, func(tx *db.Tx) error { return add(tx, "t2") }); err != nil {
				t.Fatal(err)
			}
			if n := count(t, reader); n != 1 {
				t.Errorf("%d rows", n)
			}
		})
	}
	_, err := dbopen.Open(background, db.Config{File: filepath.Join(t.TempDir(), "none.db"), ReadOnly: true})
	if err == nil {
		t.Error("a missing file was opened")
	}
}

// A backup is a snapshot of a database that is written to meanwhile.
func TestBackupWhileOthersWrite(t *testing.T) {
	config := dbtest.Config(t, "sqlite")
	d := dbtest.Open(t, config, time.Now)
	fill := func(first, n int) {
		t.Helper()
		err := d.Write(background, func(tx *db.Tx) error {
			for i := range n {
				row := []any{first + i, 1, "", "filler", 1, string(make([]byte, 4000))}
				if err := tx.Insert("events", "id, store_id, aggregate_id, type, recorded_at, payload", "", row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	fill(1, 3000) // more pages than one step copies
	source := dbtest.Open(t, db.Config{File: config.File, ReadOnly: true}, time.Now)
	file, steps := filepath.Join(t.TempDir(), "copy #1?.db"), 0
	err := source.Backup(background, file, func(done, of int) {
		steps++
		fill(3001+(steps-1)*5, 5)
		if done > of || of < 3000 {
			t.Errorf("%d of %d pages", done, of)
		}
	})
	if err != nil || steps < 3 {
		t.Fatalf("%d steps, %v", steps, err)
	}
	backup := dbtest.Open(t, db.Config{File: file, ReadOnly: true}, time.Now)
	if err := backup.Verify(background, false); err != nil {
		t.Error(err)
	}
	err = backup.Read(background, func(tx *db.Tx) error {
		n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM events`)
		if n != 3000 {
			t.Errorf("the backup has %d events", n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if others, _ := filepath.Glob(filepath.Dir(file) + "/*"); len(others) != 1 {
		t.Errorf("files beside the backup: %q", others)
	}
	postgres := dbtest.Open(t, dbtest.Config(t, "postgres"), time.Now)
	if err := postgres.Backup(background, file, nil); !errors.Is(err, db.ErrNotOneFile) {
		t.Errorf("a backup of PostgreSQL: %v", err)
	}
}

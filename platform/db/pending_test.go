package db_test

import (
	"context"
	"errors"
	"testing"

	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/fault"
)

func begin(t *testing.T, ctx context.Context, d *db.DB, name string) *db.Pending {
	t.Helper()
	p, err := d.Begin(ctx, func(tx *db.Tx) error { return add(tx, name) })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPendingEnds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		committed := 0
		p := begin(t, background, d, "t1")
		err := p.Write(func(tx *db.Tx) error {
			tx.AfterCommit(func() { committed++ })
			return add(tx, "t2")
		})
		if err != nil {
			t.Fatal(err)
		}
		err = p.Read(func(tx *db.Tx) error {
			n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM event_cursors WHERE name LIKE 't%'`)
			if n != 2 {
				t.Errorf("it sees %d of its rows", n)
			}
			return err
		})
		if err != nil || count(t, d) != 0 || committed != 0 {
			t.Errorf("%v, others see %d rows, %d commits", err, count(t, d), committed)
		}
		if err := p.Commit(); err != nil || count(t, d) != 2 || committed != 1 {
			t.Errorf("%v, %d rows, %d commits", err, count(t, d), committed)
		}
		p.Rollback()
		if count(t, d) != 2 {
			t.Error("a committed operation was rolled back")
		}
		p = begin(t, background, d, "t3")
		p.Rollback()
		if n := count(t, d); n != 2 {
			t.Errorf("%d rows after a rollback", n)
		}
		if err := p.Commit(); err == nil {
			t.Error("a rolled back operation was committed")
		}
		for _, use := range []func(func(*db.Tx) error) error{p.Read, p.Write} {
			if err := use(func(*db.Tx) error { t.Error("used after its end"); return nil }); !errors.Is(err, db.ErrBusy) {
				t.Errorf("after the end: %v", err)
			}
		}
	})
}

func TestPendingFails(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refused := fault.New(fault.Refused, "test", "no")
		if p, err := d.Begin(background, func(tx *db.Tx) error { return errors.Join(add(tx, "t1"), refused) }); p != nil ||
			!errors.Is(err, refused) {
			t.Errorf("refused at once: %v", err)
		}
		p := begin(t, background, d, "t2")
		if err := p.Read(func(*db.Tx) error { return refused }); err != refused {
			t.Errorf("a read: %v", err)
		}
		if err := p.Write(func(tx *db.Tx) error { return errors.Join(add(tx, "t3"), refused) }); !errors.Is(err, refused) {
			t.Errorf("a write: %v", err)
		}
		if err := p.Commit(); !errors.Is(err, refused) {
			t.Errorf("commit after a failure: %v", err)
		}
		p = begin(t, background, d, "t4")
		if err := p.Write(func(*db.Tx) error { panic("no") }); err == nil {
			t.Error("a panic passed")
		}
		if err := p.Commit(); err == nil || count(t, d) != 0 {
			t.Errorf("%v, %d rows", err, count(t, d))
		}
	})
}

// An open operation is rolled back when its context ends, and other writes continue.
func TestPendingRunsOutOfTime(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx, leave := context.WithCancel(background)
		p := begin(t, ctx, d, "t1")
		leave()
		if err := d.Write(background, func(tx *db.Tx) error { return add(tx, "t1") }); err != nil { // waits for its lock
			t.Fatal(err)
		}
		if err := p.Commit(); !errors.Is(err, context.Canceled) || count(t, d) != 1 {
			t.Errorf("%v, %d rows", err, count(t, d))
		}
	})
}

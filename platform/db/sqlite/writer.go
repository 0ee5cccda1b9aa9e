package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/db/batch"
)

// writer is the one goroutine that writes to a SQLite file. It takes all waiting operations, runs each inside
// a savepoint, and commits them with one sync.
type writer struct {
	host    db.Host
	conn    *connection
	queue   *batch.Queue[*operation]
	closed  chan struct{}
	stopped sync.WaitGroup
	wal     checkpointer
	failing atomic.Bool // the disk refused the last operation
}

type operation struct {
	batch.Ticket
	run func(*db.Tx) error
	tx  *db.Tx
	err error
	// A dry run has no run. It uses the connection of the writer from the begin of a transaction until it closes ended.
	ended chan struct{}
}

func startWriter(host db.Host, conn *connection, file *os.File, checkpointPages int64,
	open func() (*connection, error)) *writer {
	w := &writer{host: host, conn: conn, closed: make(chan struct{})}
	w.queue = batch.NewQueue[*operation]()
	w.wal.file, w.wal.pages, w.wal.due = file, checkpointPages, make(chan struct{}, 1)
	w.stopped.Go(func() { w.queue.Run(func() {}, w.runGroup) })
	w.stopped.Go(func() { w.wal.run(host, open, w.closed) })
	return w
}

func (w *writer) stop() {
	close(w.closed)
	w.queue.Close()
	w.stopped.Wait()
	w.queue.Refuse(func(op *operation) {
		op.err = db.ErrBusy
		op.Done()
	})
}

func (w *writer) Write(ctx context.Context, run func(*db.Tx) error) error {
	op := &operation{run: run}
	if err := w.queue.Do(ctx, op); err != nil {
		return err
	}
	return op.err
}

func (w *writer) runGroup(group []*operation) {
	var dry []*operation
	if slices.ContainsFunc(group, (*operation).isDry) {
		group, dry = divide(group)
	}
	if len(group) > 0 {
		w.commitGroup(group)
	}
	for _, op := range dry {
		w.lend(op)
	}
	if err := w.wal.look(w.conn); err != nil {
		w.host.Log().Warn("WAL checkpoint failed", "error", err)
	}
}

// commitGroup commits the operations of a group together. If the transaction is lost by an error that affects
// more than one operation, nothing was committed, and each runs again in its own transaction.
func (w *writer) commitGroup(group []*operation) {
	if err := w.attempt(group); err != nil && len(group) > 1 {
		w.host.Log().Warn("a group of writes failed; each runs again alone", "writes", len(group), "error", err)
		for _, op := range group {
			op.err = nil
			w.host.CountRetry()
			if err := w.attempt([]*operation{op}); err != nil {
				op.err = err
			}
		}
	} else if err != nil {
		group[0].err = err
	}
	for _, op := range group {
		switch {
		case op.err == nil:
			w.failing.Store(false)
			w.host.Committed(op.tx)
		case unavailable(op.err):
			w.failing.Store(true)
		}
		op.Done()
	}
}

// attempt returns an error if the transaction was lost. The error of a single operation is in op.err.
func (w *writer) attempt(group []*operation) error {
	if err := w.statement("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	alone := len(group) == 1
	wrote := 0
	for _, op := range group {
		if err := w.runOne(op, alone); err != nil {
			return errors.Join(err, w.rollback())
		}
		if op.err == nil {
			wrote++
		}
	}
	if wrote == 0 {
		return w.rollback()
	}
	ran := time.Now()
	w.host.BeforeCommit()
	if err := w.statement("COMMIT"); err != nil {
		return errors.Join(err, w.rollback())
	}
	w.host.CountCommit(time.Since(ran), wrote)
	return nil
}

func (w *writer) runOne(op *operation, alone bool) error {
	if !alone {
		if err := w.statement("SAVEPOINT operation"); err != nil {
			return err
		}
	}
	op.tx = w.host.Begin(context.Background(), w.conn, 0)
	began := time.Now()
	op.err = w.host.Run(op.tx, op.run)
	if took := time.Since(began); took > db.SlowOperation {
		w.host.Log().Warn("a slow operation blocked the writer", "milliseconds", took.Milliseconds())
	}
	if alone {
		return nil
	}
	if op.err != nil {
		if err := w.statement("ROLLBACK TO operation"); err != nil {
			return err
		}
	}
	return w.statement("RELEASE operation")
}

func (w *writer) statement(text string) error {
	_, err := w.conn.Exec(context.Background(), text, nil)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}

// rollback ends the transaction. SQLite may have done so already, for example when the disk is full.
func (w *writer) rollback() error {
	if w.conn.conn.AutocommitEnabled() {
		return nil
	}
	return w.statement("ROLLBACK")
}

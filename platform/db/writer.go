package db

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/platform/fault"
)

// writer is the one goroutine that writes to a SQLite file. It takes all waiting operations, runs each inside
// a savepoint, and commits them with one sync.
type writer struct {
	db      *DB
	conn    *sqliteConn
	queue   chan *operation
	closed  chan struct{}
	stopped sync.WaitGroup
	wal     checkpointer
	failing atomic.Bool // the disk refused the last operation
}

type operation struct {
	ticket
	run func(*Tx) error
	tx  *Tx
	err error
}

func startWriter(d *DB, conn *sqliteConn, open func() (*sqliteConn, error)) *writer {
	w := &writer{db: d, conn: conn, queue: make(chan *operation, QueueLimit), closed: make(chan struct{})}
	w.wal.pages, w.wal.due = walPages, make(chan struct{}, 1)
	w.stopped.Go(w.loop)
	w.stopped.Go(func() { w.wal.run(d, open, w.closed) })
	return w
}

func (w *writer) stop() {
	close(w.closed)
	w.stopped.Wait()
}

func (w *writer) write(ctx context.Context, run func(*Tx) error) error {
	op := &operation{run: run, ticket: ticket{done: make(chan struct{})}}
	select {
	case <-w.closed:
		return ErrBusy
	default:
	}
	select {
	case w.queue <- op:
	default:
		return ErrBusy
	}
	if err := op.await(ctx); err != nil {
		return err
	}
	return op.err
}

func (w *writer) loop() {
	for {
		select {
		case <-w.closed:
			return
		case first := <-w.queue:
			w.runGroup(w.drain(first))
			if err := w.wal.look(w.conn); err != nil {
				w.db.log.Warn("WAL checkpoint failed", "error", err)
			}
		}
	}
}

func (w *writer) drain(first *operation) []*operation {
	var group []*operation
	for op := first; ; {
		if op.take() {
			group = append(group, op)
		}
		if len(group) == GroupLimit {
			return group
		}
		select {
		case op = <-w.queue:
		default:
			return group
		}
	}
}

// runGroup commits the operations of a group together. If the transaction is lost by an error that affects
// more than one operation, nothing was committed, and each runs again in its own transaction.
func (w *writer) runGroup(group []*operation) {
	if len(group) == 0 {
		return
	}
	if err := w.attempt(group); err != nil && len(group) > 1 {
		w.db.log.Warn("a group of writes failed; each runs again alone", "writes", len(group), "error", err)
		for _, op := range group {
			op.err = nil
			w.db.counted.retries.Add(1)
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
			w.db.committed(op.tx)
		case unavailable(op.err):
			w.failing.Store(true)
		}
		close(op.done)
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
	w.db.beforeCommit()
	if err := w.statement("COMMIT"); err != nil {
		return errors.Join(err, w.rollback())
	}
	w.db.counted.committedIn(time.Since(ran), wrote)
	return nil
}

func (w *writer) runOne(op *operation, alone bool) error {
	if !alone {
		if err := w.statement("SAVEPOINT operation"); err != nil {
			return err
		}
	}
	op.tx = newTx(context.Background(), w.db, w.conn)
	began := time.Now()
	op.err = protect(op.tx, withDeferred(op.run))
	if took := time.Since(began); took > SlowOperation {
		w.db.log.Warn("a slow operation blocked the writer", "milliseconds", took.Milliseconds())
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

// protect turns a panic of an operation into an error with the stack.
func protect(tx *Tx, run func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in an operation: %s\n%s", fault.PanicText(p), debug.Stack())
		}
	}()
	return run(tx)
}

func (w *writer) statement(text string) error {
	_, err := w.conn.exec(context.Background(), text, nil)
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

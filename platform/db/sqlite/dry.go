package sqlite

import (
	"context"

	"punchcard/platform/db"
)

func (op *operation) isDry() bool { return op.ended != nil }

// divide returns the operations that are committed together, and those that are dry runs.
func divide(group []*operation) (rest, dry []*operation) {
	for _, op := range group {
		if op.isDry() {
			dry = append(dry, op)
		} else {
			rest = append(rest, op)
		}
	}
	return rest, dry
}

// lend lets a dry run use the connection in a transaction of its own, which is rolled back.
func (w *writer) lend(op *operation) {
	op.err = w.statement("BEGIN IMMEDIATE")
	op.Done()
	if op.err != nil {
		return
	}
	<-op.ended
	if err := w.rollback(); err != nil {
		w.host.Log().Error("a dry run was not rolled back", "error", err)
	}
}

// open is the transaction of a dry run.
type open struct {
	*connection
	ended chan struct{}
}

// Begin waits until the writer has committed what came before.
func (w *writer) Begin(ctx context.Context) (db.Open, error) {
	op := &operation{ended: make(chan struct{})}
	if err := w.queue.Do(ctx, op); err != nil {
		return nil, err
	}
	if op.err != nil {
		return nil, op.err
	}
	return open{w.conn, op.ended}, nil
}

func (open) Discard() {}

func (open) Shard() int64 { return 0 }

func (o open) Rollback() { close(o.ended) }

package db

import (
	"context"
	"time"

	"punchcard/platform/fault"
)

// Limits of dry runs.
const (
	// DryRuns is how many dry runs have a transaction at once. Others wait.
	DryRuns = 1
	// DryRunTime is how long after its first write a dry run may begin another. It bounds how long the operations of one
	// call hold their locks together. Each of them takes as long as a real one.
	DryRunTime = time.Second
)

// ErrDryRunTime is the error of a dry run whose operations take too long together.
var ErrDryRunTime = fault.New(fault.Unprocessable, "dry_run_too_long", "This call takes too long for a dry run.")

// Open is a transaction that is open between operations.
type Open interface {
	Conn
	// Discard drops statements without a result that were not sent.
	Discard()
	// Shard returns the number for Tx.Shard.
	Shard() int64
	// Rollback ends the transaction. Nothing is stored.
	Rollback()
}

// dryRun is the one transaction in which everything under a context runs.
type dryRun struct {
	on       Open // nil before the first write
	began    time.Time
	lost     error // after which the transaction cannot be used
	recorded []any
}

type dryKey struct{}

func dryRunOf(ctx context.Context) *dryRun {
	dry, _ := ctx.Value(dryKey{}).(*dryRun)
	return dry
}

// IsDry reports whether writes under the context are a dry run.
func IsDry(ctx context.Context) bool { return dryRunOf(ctx) != nil }

// Committed returns a context under which reads see what is committed, whatever a dry run has written. Caches are
// filled under it.
func Committed(ctx context.Context) context.Context {
	if !IsDry(ctx) {
		return ctx
	}
	return context.WithValue(ctx, dryKey{}, (*dryRun)(nil))
}

// DryRun runs all operations of run under a context in one transaction, one after the other, and rolls it back. An
// operation sees the effects of those before it. Functions of AfterCommit and OnCommit are not called. run must use the
// context in one goroutine, and must not wait for others: on SQLite all writes wait for it.
func (d *DB) DryRun(ctx context.Context, run func(ctx context.Context) error) error {
	dry := &dryRun{}
	defer func() {
		if dry.on != nil {
			dry.on.Rollback()
			<-d.dryRuns
		}
	}()
	return run(context.WithValue(ctx, dryKey{}, dry))
}

// begin begins the transaction, which waits for its turn.
func (r *dryRun) begin(ctx context.Context, d *DB) error {
	select {
	case d.dryRuns <- struct{}{}:
	case <-ctx.Done():
		return WaitError(ctx)
	}
	on, err := d.engine.Begin(ctx)
	if err != nil {
		<-d.dryRuns
		return err
	}
	r.on, r.began = on, time.Now()
	return nil
}

// write runs an operation of a dry run, in a savepoint.
func (r *dryRun) write(ctx context.Context, d *DB, run func(tx *Tx) error) error {
	if r.on == nil {
		if err := r.begin(ctx, d); err != nil {
			return err
		}
	} else if time.Since(r.began) > DryRunTime {
		return ErrDryRunTime
	}
	const attempts = 8
	var err error
	for range attempts {
		if err = r.attempt(d, run); err == nil || !d.engine.Retryable(err) {
			return err
		}
	}
	return ErrBusy.WithCause(err)
}

func (r *dryRun) attempt(d *DB, run func(tx *Tx) error) error {
	ctx := context.Background() // as in Write, the caller's does not end an operation
	if r.lost != nil {          // SQLite would begin another transaction
		return r.lost
	}
	if _, r.lost = r.on.Exec(ctx, "SAVEPOINT operation", nil); r.lost != nil {
		return r.lost
	}
	recorded := len(r.recorded)
	tx := newTx(ctx, d, r.on)
	tx.shard, tx.dry, tx.writes = r.on.Shard(), r, true
	err := Host{d}.Run(tx, run)
	if err == nil {
		_, err = r.on.Exec(ctx, "RELEASE SAVEPOINT operation", nil) // reports errors of statements that were deferred
	}
	if err == nil {
		return nil
	}
	r.recorded = r.recorded[:recorded]
	r.on.Discard()
	if _, r.lost = r.on.Exec(ctx, "ROLLBACK TO SAVEPOINT operation", nil); r.lost == nil {
		_, r.lost = r.on.Exec(ctx, "RELEASE SAVEPOINT operation", nil)
	}
	return err
}

// read returns an access for reads that see what the dry run has written; nil before its first write.
func (r *dryRun) read(d *DB) *Tx {
	if r == nil || r.on == nil || r.lost != nil {
		return nil
	}
	tx := newTx(context.Background(), d, r.on)
	tx.dry = r
	return tx
}

// IsDry reports whether the operation is a part of a dry run. What it reads must not get into caches.
func (tx *Tx) IsDry() bool { return tx.dry != nil }

// Record notes for a dry run what an operation does. It does nothing in a real one.
func (tx *Tx) Record(what any) {
	if tx.dry != nil {
		tx.dry.recorded = append(tx.dry.recorded, what)
	}
}

// Recorded returns what the operations of a dry run have noted and not undone.
func Recorded(ctx context.Context) []any {
	if dry := dryRunOf(ctx); dry != nil {
		return dry.recorded
	}
	return nil
}

// Package db runs operations in transactions on SQLite or PostgreSQL, with one SQL text for both.
//
// A write is durable when Write returns. The packages sqlite and postgres hold what differs between the databases,
// dbopen chooses one of them, and batch groups concurrent calls of one operation.
package db

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/platform/fault"
	"punchcard/platform/trace"
)

// Limits of the database layer. They are fixed: they bound memory and waiting times.
const (
	// QueueLimit is how many writes, and how many reads, may wait at once. A further one gets ErrBusy.
	QueueLimit = 4096
	// GroupLimit is how many operations share one commit, and how many calls one batch.
	GroupLimit = 256
	// SlowOperation is how long a write may run before it is logged. On SQLite it blocks all other writes.
	SlowOperation = 50 * time.Millisecond
)

// ErrStale is an error of an operation that found a locked row changed since it had read it without a lock. Write runs
// the operation again, some times, and then returns ErrBusy.
var ErrStale = errors.New("a row has changed since it was read without a lock")

// ErrBusy means that too many requests wait for the database, or that it is unavailable.
var ErrBusy = fault.New(fault.Unavailable, "database_busy", "").After(time.Second)

// Config describes the database to open.
type Config struct {
	URL   string           // postgres://…, or empty for SQLite
	File  string           // SQLite file, created when missing; ignored for PostgreSQL
	Clock func() time.Time // the one clock of the product; nil means the system's
	Log   *slog.Logger     // nil means silent
	// Program is the version of the program, such as 1.2.0. A newer schema that allows it is used as it is.
	Program string
	// Wait is for how long Open retries while PostgreSQL cannot be reached or is starting; 0 means one
	// attempt.
	Wait time.Duration
	// ReadOnly opens an existing database without the ability to change it. Others may write to it.
	ReadOnly bool
	// Tracer makes spans of reads, writes and batches; nil means none.
	Tracer *trace.Tracer
	// Trace receives every statement before it runs. Tests use it to check query plans. nil means none.
	Trace func(query string, args []any)
	// BeforeCommit runs before each commit and WAL checkpoint. Tests use it to simulate a slow disk. nil means
	// none.
	BeforeCommit func()
	// CheckpointPages is how many pages the write-ahead log of SQLite grows by before a checkpoint. Tests use few. 0 means
	// the number of the program.
	CheckpointPages int64
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	engine       Engine
	clock        func() time.Time
	log          *slog.Logger
	program      string
	tracer       *trace.Tracer
	trace        func(query string, args []any)
	beforeCommit func()
	reading      atomic.Int64 // reads that run or wait
	counted      counted
	dryRuns      chan struct{} // one token for each that has a transaction

	awaitCopy atomic.Pointer[func(context.Context) error]
	attached  atomic.Pointer[any]
	shared    sync.Map // see Shared
	closed    atomic.Bool

	mutex    sync.Mutex
	onCommit []func()
	closing  []func()
}

// New returns a database whose engine is the result of open.
func New(config Config, open func(h Host) (Engine, error)) (*DB, error) {
	d := &DB{
		clock: config.Clock, log: config.Log, program: config.Program, tracer: config.Tracer,
		trace: config.Trace, beforeCommit: config.BeforeCommit, dryRuns: make(chan struct{}, DryRuns),
	}
	if d.clock == nil {
		d.clock = time.Now
	}
	if d.trace == nil {
		d.trace = func(string, []any) {}
	}
	if d.beforeCommit == nil {
		d.beforeCommit = func() {}
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if d.engine, err = open(Host{d}); err != nil {
		return nil, err
	}
	return d, nil
}

// Now is the present time of the server's clock, in UTC and whole microseconds, as stored.
func (d *DB) Now() time.Time { return d.clock().UTC().Truncate(time.Microsecond) }

// Log returns the logger of the database layer and its users.
func (d *DB) Log() *slog.Logger { return d.log }

// Tracer makes spans. It may be nil, which makes none.
func (d *DB) Tracer() *trace.Tracer { return d.tracer }

// Engine returns the name of the database: sqlite or postgres.
func (d *DB) Engine() string { return d.engine.Name() }

// Ping checks that the database works. On SQLite it includes the disk.
func (d *DB) Ping(ctx context.Context) error { return d.engine.Classify(d.engine.Ping(ctx)) }

// Analyze updates the planner's statistics of the tables of PostgreSQL that have changed since the last time.
func (d *DB) Analyze(ctx context.Context) error { return d.engine.Classify(d.engine.Analyze(ctx)) }

// Write runs an operation in a transaction and returns after its commit is durable. If run returns an error,
// nothing is stored. run may be called again after a deadlock or a lost transaction, so it must not have
// effects outside tx. Write returns ErrBusy if the queue is full. A ctx that ends while the operation waits
// withdraws it; one that ends afterwards does not. Under the context of a DryRun nothing is stored.
func (d *DB) Write(ctx context.Context, run func(tx *Tx) error) error {
	defer rest(ctx, time.Now())
	if d.awaitCopy.Load() != nil && d.closed.Load() { // so that a batch whose wait was ended does not run again
		return ErrBusy
	}
	if dry := dryRunOf(ctx); dry != nil {
		return d.engine.Classify(dry.write(ctx, d, run))
	}
	ctx, span := d.tracer.Part(ctx, "database write")
	err := d.engine.Classify(d.engine.Write(ctx, run))
	if wait := d.awaitCopy.Load(); wait != nil && err == nil {
		err = (*wait)(ctx)
	}
	span.End(err)
	return err
}

// AwaitCopy lets Write return only after wait, which waits until everything that is committed is stored elsewhere too.
// An error of wait does not mean that nothing was stored.
func (d *DB) AwaitCopy(wait func(context.Context) error) { d.awaitCopy.Store(&wait) }

// Attach gives all transactions a value of the program, which replaces the one before.
func (d *DB) Attach(value any) { d.attached.Store(&value) }

// Read runs run outside a transaction: each statement sees what was committed when it began.
func (d *DB) Read(ctx context.Context, run func(tx *Tx) error) error {
	if tx := dryRunOf(ctx).read(d); tx != nil {
		return d.engine.Classify(run(tx))
	}
	return d.read(ctx, func(ctx context.Context) error { return run(newTx(ctx, d, d.engine.Reader())) })
}

// ReadBatch is Read for statements that follow each other closely, on one connection.
func (d *DB) ReadBatch(ctx context.Context, run func(tx *Tx) error) error {
	if tx := dryRunOf(ctx).read(d); tx != nil {
		return d.engine.Classify(run(tx))
	}
	return d.read(ctx, func(ctx context.Context) error {
		return d.engine.ReadBatch(ctx, func(on Conn) error { return run(newTx(ctx, d, on)) })
	})
}

// read counts a read, and refuses it if there are too many.
func (d *DB) read(ctx context.Context, run func(ctx context.Context) error) error {
	if d.reading.Add(1) > QueueLimit {
		d.reading.Add(-1)
		return ErrBusy
	}
	defer rest(ctx, time.Now())
	defer d.reading.Add(-1)
	ctx, span := d.tracer.Part(ctx, "database read")
	err := d.engine.Classify(run(ctx))
	span.End(err)
	return err
}

// OnCommit registers a function that is called after every durable write, also of a group or a batch, before Write
// returns. It must not block.
func (d *DB) OnCommit(nudge func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.onCommit = append(d.onCommit, nudge)
}

// BeforeClose registers a function that Close calls before it closes the connections.
func (d *DB) BeforeClose(stop func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.closing = append(d.closing, stop)
}

// Close lets running writes finish, refuses waiting ones and closes all connections.
func (d *DB) Close() error {
	d.closed.Store(true)
	d.mutex.Lock()
	closing := d.closing
	d.closing = nil
	d.mutex.Unlock()
	for _, stop := range closing {
		stop()
	}
	return d.engine.Close()
}

// WaitError is the error of a caller whose context ended while it waited: ErrBusy at its deadline.
func WaitError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrBusy
	}
	return ctx.Err()
}

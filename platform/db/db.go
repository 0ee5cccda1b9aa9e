// Package db runs operations in transactions on SQLite or PostgreSQL, with one SQL text for both.
//
// Writes are durable when Write returns. On SQLite one writer commits many waiting operations with
// one sync; on PostgreSQL each operation has a transaction of its own. Batch turns concurrent calls of
// one operation into few set-wise transactions on both.
package db

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/platform/fault"
)

// Limits of the database layer. All are fixed: they bound memory and waiting, not features.
const (
	// QueueLimit is how many writes, and how many reads, may wait at once; one more gets a 503.
	QueueLimit = 4096
	// GroupLimit is how many operations share one commit, and how many calls one batch.
	GroupLimit = 256
	// SlowOperation is how long a write may run before it is logged: on SQLite it holds the one writer.
	SlowOperation = 50 * time.Millisecond
)

// ErrBusy says that too many requests wait for the database.
var ErrBusy = fault.New(fault.Unavailable, "database_busy", "").After(time.Second)

// Config says which database to open.
type Config struct {
	URL   string           // postgres://…, or empty for SQLite
	File  string           // SQLite file, created when missing; ignored for PostgreSQL
	Clock func() time.Time // the one clock of the product; nil means the system's
	Log   *slog.Logger     // nil means silent
	// Wait is for how long Open tries again while PostgreSQL cannot be reached or is starting; 0 tries once.
	Wait time.Duration
	// ReadOnly opens a database that is there, beside whoever writes to it, and cannot change it.
	ReadOnly bool
	// Trace sees every statement before it runs, for tests that look at plans; nil for nobody.
	Trace func(query string, args []any)
	// BeforeCommit runs before each commit and each copy of the SQLite log, for tests that play a slow disk; nil for none.
	BeforeCommit func()
}

// DB is an open database. It is safe for concurrent use.
type DB struct {
	engine engine
	clock  func() time.Time
	log    *slog.Logger
	trace  func(query string, args []any)
	// beforeCommit waits where a slow disk would.
	beforeCommit func()
	reading      atomic.Int64 // reads running or waiting
	counted      counted

	mutex    sync.Mutex
	onCommit []func()
	closing  []func()
}

// engine is what SQLite and PostgreSQL do differently.
type engine interface {
	name() string
	write(ctx context.Context, run func(*Tx) error) error // one operation, retried and durable
	reader() querier
	readSet(ctx context.Context, run func(querier) error) error  // reads that follow each other closely
	snapshot(ctx context.Context, run func(querier) error) error // reads of one moment
	migrate(ctx context.Context, migrations fs.FS) error
	schemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error)
	version(tx *Tx) (version, error) // that a set of reads sees
	numbersEvents() bool
	writesWaiting() int64
	classify(err error) error
	insert(tx *Tx, into, ending string, rows [][]any) error
	update(tx *Tx, table string, keys, sets []Column, rows [][]any) error
	perKey(query string, args []any, keys []string) []statement
	table(args []any, types []string, rows [][]any) (string, []any)
	ofStore(table string) string // adds the column store, which is the first argument
	ping(ctx context.Context) error
	analyze(ctx context.Context) error
	close() error
}

// querier runs single statements; it is a connection inside a transaction, or a pool outside one.
type querier interface {
	exec(ctx context.Context, query string, args []any) (touched int64, err error)
	// later is exec for somebody who does not wait for the outcome: an error may come with a later statement.
	later(ctx context.Context, query string, args []any) error
	query(ctx context.Context, query string, args []any) (rows, error)
}

// statement is a text with its values.
type statement struct {
	query string
	args  []any
}

// rows are read one by one and closed.
type rows interface {
	Next() bool
	Scan(destinations ...any) error
	Err() error
	Close() error
}

// Open connects to the database. It neither creates nor changes tables: see Migrate.
func Open(ctx context.Context, config Config) (*DB, error) {
	d := &DB{clock: config.Clock, log: config.Log, trace: config.Trace, beforeCommit: config.BeforeCommit}
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
	if config.URL != "" {
		d.engine, err = openPostgres(ctx, d, config)
	} else {
		d.engine, err = openSQLite(d, config.File, config.ReadOnly)
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Now is the present moment of the product's clock, in UTC and whole microseconds, as stored.
func (d *DB) Now() time.Time { return d.clock().UTC().Truncate(time.Microsecond) }

// Log is where the database layer and its users write.
func (d *DB) Log() *slog.Logger { return d.log }

// Engine names the database: "sqlite" or "postgres".
func (d *DB) Engine() string { return d.engine.name() }

// Ping does a trivial round trip.
func (d *DB) Ping(ctx context.Context) error { return d.engine.classify(d.engine.ping(ctx)) }

// Analyze refreshes what the database knows about its tables, so that it finds rows by their keys.
func (d *DB) Analyze(ctx context.Context) error { return d.engine.classify(d.engine.analyze(ctx)) }

// Write runs one operation in a transaction and returns after its commit is durable. When run returns
// an error nothing of it is stored. run may be called again after a deadlock or a lost transaction,
// so it must do nothing outside tx. A full queue answers ErrBusy; a ctx that ends while the operation
// waits withdraws it, one that ends later does not.
func (d *DB) Write(ctx context.Context, run func(tx *Tx) error) error {
	defer rest(ctx, time.Now())
	return d.engine.classify(d.engine.write(ctx, run))
}

// Read runs run outside a transaction: each of its statements sees what was committed when it began.
func (d *DB) Read(ctx context.Context, run func(tx *Tx) error) error {
	return d.read(ctx, func() error { return run(newTx(ctx, d, d.engine.reader())) })
}

// readSet is Read for statements that follow each other closely.
func (d *DB) readSet(ctx context.Context, run func(tx *Tx) error) error {
	return d.read(ctx, func() error {
		return d.engine.readSet(ctx, func(on querier) error {
			tx := newTx(ctx, d, on)
			tx.ofSet = true
			return run(tx)
		})
	})
}

// read counts a read, unless it is one too many.
func (d *DB) read(ctx context.Context, run func() error) error {
	if d.reading.Add(1) > QueueLimit {
		d.reading.Add(-1)
		return ErrBusy
	}
	defer rest(ctx, time.Now())
	defer d.reading.Add(-1)
	return d.engine.classify(run())
}

// OnCommit registers a nudge that is called after every durable write. It must not block.
func (d *DB) OnCommit(nudge func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.onCommit = append(d.onCommit, nudge)
}

func (d *DB) committed(tx *Tx) {
	for _, f := range tx.afterCommit {
		f()
	}
	d.mutex.Lock()
	nudges := d.onCommit
	d.mutex.Unlock()
	for _, nudge := range nudges {
		nudge()
	}
}

// beforeClose registers what must stop before the connections do.
func (d *DB) beforeClose(stop func()) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.closing = append(d.closing, stop)
}

// Close lets started writes finish, refuses waiting ones and closes all connections.
func (d *DB) Close() error {
	d.mutex.Lock()
	closing := d.closing
	d.closing = nil
	d.mutex.Unlock()
	for _, stop := range closing {
		stop()
	}
	return d.engine.close()
}

// ended turns the end of a waiting caller's context into an answer: his patience is over, or he left.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrBusy
	}
	return ctx.Err()
}

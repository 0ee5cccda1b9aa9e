package db

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"punchcard/platform/fault"
)

// Engine is one of the databases: what differs between SQLite and PostgreSQL.
type Engine interface {
	Flavour
	// Write runs one operation in a transaction, with retries. It is durable afterwards.
	Write(ctx context.Context, run func(*Tx) error) error
	// Begin opens a transaction that can only be rolled back. On SQLite no write runs until then.
	Begin(ctx context.Context) (Open, error)
	// Reader runs statements outside a transaction.
	Reader() Conn
	// ReadBatch runs the reads of a batch.
	ReadBatch(ctx context.Context, run func(Conn) error) error
	// Snapshot runs reads that see the data of one moment.
	Snapshot(ctx context.Context, run func(Conn) error) error
	// AdaptSchema changes the common text of a migration to that of the database.
	AdaptSchema(text string) string
	// Migrate runs the migrations that the database does not have, in one transaction. They are in the order of their
	// numbers.
	Migrate(ctx context.Context, migrations []Migration) error
	SchemaVersion(ctx context.Context, migrations fs.FS) (current, newest int64, err error)
	// Catalog is a query for the table, name, type, NOT NULL and place in the primary key of all stored columns.
	Catalog() string
	// Hold keeps others from writing until the transaction ends.
	Hold(ctx context.Context, on Conn) error
	// Load empties tables, and lets run fill them. See DB.Load.
	Load(ctx context.Context, tables []StoredTable, run func(Filler) error) error
	// NumbersEvents reports whether commits happen one after the other.
	NumbersEvents() bool
	// WritesWaiting is the number of writes that wait now.
	WritesWaiting() int64
	// Retryable reports errors after which nothing of a transaction exists and it can run again.
	Retryable(err error) bool
	// Classify makes ErrBusy of errors that are not defects.
	Classify(err error) error
	Ping(ctx context.Context) error
	Analyze(ctx context.Context) error
	Close() error
}

// Flavour writes the statements in which the SQL of the databases differs.
type Flavour interface {
	Name() string
	// Insert returns the statements that insert rows. into ends before the values, and ending follows them.
	Insert(into, ending string, columns []Column, rows [][]any) []Statement
	// Update returns the statements that change rows, which have the values of keys and then those of sets.
	Update(table string, keys, sets []Column, rows [][]any) []Statement
	// Delete returns the statements that delete rows, which have the values of keys.
	Delete(table string, keys []Column, rows [][]any) []Statement
	// DeleteRows returns the statement that deletes the rows of a table that "FROM table ..." selects. key are the
	// columns of the primary key.
	DeleteRows(table, key, from string) string
	// PerKey returns the statements that run a query for each key, whose place in it is $key.
	PerKey(query string, args []any, keys []string) []Statement
	// Among returns keys as a table with a name and the names of its columns, the first of which is the store.
	Among(name string, columns []string, keys *Keys) Statement
}

// FileEngine is an engine whose database is one file.
type FileEngine interface {
	// Backup copies a snapshot of the database into a new file, while others write.
	Backup(ctx context.Context, file string, progress func(done, of int)) error
	// File is the name of the file.
	File() string
	// Follow returns a follower of the commits.
	Follow() (Follower, error)
}

// Conn runs single statements: a connection inside a transaction, or a pool outside one.
type Conn interface {
	Exec(ctx context.Context, query string, args []any) (touched int64, err error)
	// ExecDeferred is Exec without a result. The error may be returned by a later statement or by the commit.
	ExecDeferred(ctx context.Context, query string, args []any) error
	Query(ctx context.Context, query string, args []any) (Rows, error)
}

// Pipeline is a Conn that sends several statements in one round trip.
type Pipeline interface {
	Send(ctx context.Context, statements ...Statement) (Results, error)
}

// Results are the results of statements that were sent together, in their order.
type Results interface {
	Next() (Rows, error)
	Close() error
}

// Statement is a text with its arguments.
type Statement struct {
	Text string
	Args []any
}

// Rows is the result of a query.
type Rows interface {
	Next() bool
	Scan(destinations ...any) error
	Err() error
	Close() error
}

// Host gives an engine access to the database that it belongs to.
type Host struct{ db *DB }

// Log returns the logger.
func (h Host) Log() *slog.Logger { return h.db.log }

// Begin returns an operation that begins now on a connection. See Tx.Shard.
func (h Host) Begin(ctx context.Context, on Conn, shard int64) *Tx {
	tx := newTx(ctx, h.db, on)
	tx.shard, tx.writes = shard, true
	return tx
}

// Run runs an operation, then what it deferred, and raises the versions of what they changed. A panic is an error with
// the stack.
func (h Host) Run(tx *Tx, run func(*Tx) error) error { return Protect(tx, withDeferred(run)) }

// BeforeCommit is called before each commit and WAL checkpoint.
func (h Host) BeforeCommit() { h.db.beforeCommit() }

// Committed is called after the commit of each operation.
func (h Host) Committed(tx *Tx) {
	for _, f := range tx.afterCommit {
		f()
	}
	h.db.mutex.Lock()
	nudges := h.db.onCommit
	h.db.mutex.Unlock()
	for _, nudge := range nudges {
		nudge()
	}
}

// CountCommit counts a commit of several operations.
func (h Host) CountCommit(took time.Duration, writes int) { h.db.counted.committedIn(took, writes) }

// CountRetry counts an operation that runs again.
func (h Host) CountRetry() { h.db.counted.retries.Add(1) }

// Protect turns a panic of an operation into an error with the stack.
func Protect(tx *Tx, run func(*Tx) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in an operation: %s\n%s", fault.PanicText(p), debug.Stack())
		}
	}()
	return run(tx)
}

// withDeferred returns an operation that ends with what it deferred.
func withDeferred(run func(*Tx) error) func(*Tx) error {
	return func(tx *Tx) error {
		if err := run(tx); err != nil {
			return err
		}
		slices.SortStableFunc(tx.deferred, func(a, b deferred) int { return strings.Compare(a.name, b.name) })
		for _, d := range tx.deferred {
			if err := d.do(); err != nil {
				return err
			}
		}
		return tx.raiseVersions()
	}
}

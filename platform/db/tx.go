package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Tx is the access of an operation to the database: a transaction in Write, single statements in Read. It must
// not be stored or used by another goroutine.
type Tx struct {
	*shared
	ahead time.Duration // of Now before ServerNow
}

// shared is the part of a Tx that does not depend on its clock.
type shared struct {
	began       time.Time // by the server's clock
	db          *DB
	ctx         context.Context
	on          Conn
	shard       int64
	first       []Query // sent with the next statement
	deferred    []deferred
	afterCommit []func()
	stored      map[any]any
	dry         *dryRun // nil if the operation is real
	writes      bool    // a transaction of Write
	changed     map[changed]bool
	noted       *Schema // whose change runs, which was noted
}

type deferred struct {
	name string
	do   func() error
}

// newTx begins an operation at the present time.
func newTx(ctx context.Context, d *DB, on Conn) *Tx {
	return &Tx{shared: &shared{began: d.Now(), db: d, ctx: ctx, on: on}}
}

// Shard is a small number that differs among most of the transactions that run at once. A counter that
// all of them change has a row for each shard, so that they seldom wait for one row lock.
func (tx *Tx) Shard() int64 { return tx.shard }

// BeforeCommit defers updates of contended rows to just before the commit, in the order of their names:
// their row locks are held briefly and never deadlock. An error of do is that of the operation.
func (tx *Tx) BeforeCommit(name string, do func() error) {
	tx.deferred = append(tx.deferred, deferred{name, do})
}

// Keep returns the value that an operation has for a key, and makes it at the first call. A package collects
// in it what it writes in BeforeCommit. The type of the key is the package's own.
func Keep[K comparable, V any](tx *Tx, key K, make func() V) V {
	if stored, found := tx.stored[key]; found {
		return stored.(V)
	}
	if tx.stored == nil {
		tx.stored = map[any]any{}
	}
	value := make()
	tx.stored[key] = value
	return value
}

// AfterCommit calls f once the operation is durable, and not at all when it fails.
func (tx *Tx) AfterCommit(f func()) { tx.afterCommit = append(tx.afterCommit, f) }

// Attached returns the value that Attach gave to all transactions, or nil.
func (tx *Tx) Attached() any {
	if value := tx.db.attached.Load(); value != nil {
		return *value
	}
	return nil
}

// Engine returns the name of the database: sqlite or postgres. Only what the common SQL cannot express may
// depend on it.
func (tx *Tx) Engine() string { return tx.db.Engine() }

// Lock waits until no other transaction holds the lock with the name, and holds it until the transaction ends. Take it
// before all rows. Where writes run one after the other, there is nothing to wait for.
func (tx *Tx) Lock(name string) error {
	if tx.NumbersEvents() {
		return nil
	}
	_, err := tx.Exec(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, name)
	return err
}

// NumbersEvents reports whether commits happen one after the other. Then a number that is taken in a
// transaction is in the order in which readers see it.
func (tx *Tx) NumbersEvents() bool { return tx.db.engine.NumbersEvents() }

// Exec runs a statement and returns the number of rows it changed. See Select for args.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	if err := tx.Run(); err != nil {
		return 0, err
	}
	s := build(query, args)
	tx.starting(s.Text, s.Args)
	touched, err := tx.on.Exec(tx.ctx, s.Text, s.Args)
	if err != nil {
		return 0, StatementError(s.Text, err)
	}
	return touched, nil
}

// write runs a statement without a result. The error may be returned by a later statement or by the commit.
func (tx *Tx) write(query string, args []any) error {
	if err := tx.Run(); err != nil {
		return err
	}
	tx.starting(query, args)
	if err := tx.on.ExecDeferred(tx.ctx, query, args); err != nil {
		return StatementError(query, err)
	}
	return nil
}

// All returns every row. See Select for columns and args.
func All[T any](tx *Tx, columns func(*T) []any, query string, args ...any) ([]T, error) {
	var all []T
	err := Each(tx, columns, func(one T) { all = append(all, one) }, query, args...)
	return all, err
}

// Each passes every row to visit as it is read. See Select for columns, visit and args.
func Each[T any](tx *Tx, columns func(*T) []any, visit func(T), query string, args ...any) error {
	return tx.Run(Select(columns, visit, query, args...))
}

// EachOf is Each for a query that is run for each of different keys, whose place in it is $key. It serves where a join
// with Among does not: for a LIMIT of each key, and for a key that is looked up in a partial index, all of which
// PostgreSQL may read when it joins a table that it takes for empty. PostgreSQL runs it as one statement. The rows of a
// key come together, in the order of the query, which selects $key first to tell keys apart.
func EachOf[T any](tx *Tx, keys []string, columns func(*T) []any, visit func(T), query string, args ...any) error {
	return tx.Run(SelectEach(tx, keys, columns, visit, query, args...)...)
}

// SelectEach returns the queries of EachOf.
func SelectEach[T any](tx *Tx, keys []string, columns func(*T) []any, visit func(T), query string,
	args ...any) (queries []Query) {
	of := build(query, args)
	for _, s := range tx.db.engine.PerKey(of.Text, of.Args, keys) {
		queries = append(queries, Select(columns, visit, s.Text, s.Args...))
	}
	return queries
}

// One returns the first row, and false if there is none.
func One[T any](tx *Tx, columns func(*T) []any, query string, args ...any) (one T, found bool, err error) {
	err = Each(tx, columns, func(row T) {
		if !found {
			one, found = row, true
		}
	}, query, args...)
	return one, found, err
}

// Value returns the single column of the first row, or the zero value if there is none.
func Value[T any](tx *Tx, query string, args ...any) (T, error) {
	one, _, err := One(tx, func(v *T) []any { return []any{v} }, query, args...)
	return one, err
}

// AllValues returns the single column of all rows.
func AllValues[T any](tx *Tx, query string, args ...any) ([]T, error) {
	return All(tx, func(v *T) []any { return []any{v} }, query, args...)
}

// failure is the error of a statement.
type failure struct {
	query string
	err   error
}

func (f *failure) Error() string {
	return fmt.Sprintf("%v (in %s)", f.err, strings.Join(strings.Fields(f.query), " "))
}

func (f *failure) Unwrap() error { return f.err }

// StatementError adds the text of the failed statement, unless the error already has that of an earlier one.
func StatementError(query string, err error) error {
	var known *failure
	if errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	return &failure{query, err}
}

// Package postgres keeps a database in PostgreSQL. Each operation has a transaction of its own.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"punchcard/platform/fault"

	"punchcard/platform/db"
)

const (
	writers       = 8  // transactions at once; more would only wait for each other's locks
	readers       = 16 // statements at once
	writeAttempts = 8  // of an operation, with deadlocks or serialization failures

	connectTimeout = 5 * time.Second        // for one connection, unless the address has connect_timeout
	retryConnect   = 500 * time.Millisecond // between two attempts
	logWaitEvery   = 10 * time.Second       // while it waits
)

type engine struct {
	flavour
	host    db.Host
	pool    *pgxpool.Pool
	writers chan struct{} // one token for each running transaction
	waiting atomic.Int64
	watch   *primaryWatch // nil with one server
}

// Open connects to the server of a configuration.
func Open(ctx context.Context, config db.Config) (*db.DB, error) {
	return db.New(config, func(host db.Host) (db.Engine, error) {
		e, err := openEngine(ctx, host, config)
		if err != nil {
			return nil, err
		}
		return e, nil
	})
}

func openEngine(ctx context.Context, host db.Host, wanted db.Config) (*engine, error) {
	config, err := pgxpool.ParseConfig(wanted.URL)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	defaults := map[string]string{
		"timezone": "UTC", "jit": "off", "synchronous_commit": "on", "application_name": "punchcard",
		"statement_timeout": "30000", "lock_timeout": "10000",
		// Rows are looked up by key, mostly in cached pages. The default, for rotating disks, prefers scans.
		"random_page_cost": "1.1",
		// A node that hangs inside a transaction must not hold its locks for ever.
		"idle_in_transaction_session_timeout": "30000",
	}
	if !wanted.ReadOnly { // commands that only read scan whole tables
		// Rows of a store are read by an index that begins with it, not by a scan of all stores.
		defaults["enable_seqscan"] = "off"
	}
	if wanted.ReadOnly {
		defaults["default_transaction_read_only"] = "on"
	}
	setAfterConnect(config, defaults)
	if !strings.Contains(wanted.URL, "pool_max_conns=") {
		config.MaxConns = writers + readers
	}
	config.MaxConnIdleTime = 5 * time.Minute
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	watch := watchPrimary(config)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		watch.close()
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	e := &engine{
		host: host, pool: pool, watch: watch, writers: make(chan struct{}, min(writers, max(1, config.MaxConns/2))),
	}
	if err := e.waitUntilReady(ctx, wanted.Wait); err != nil {
		_ = e.Close() // returns nil
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	if err := refuseSharedSessions(ctx, pool); err != nil {
		_ = e.Close() // returns nil
		return nil, err
	}
	return e, nil
}

// waitUntilReady returns once the server accepts connections. It retries until the limit while the server
// cannot be reached or is starting. Any other problem, such as a wrong password, is returned at once.
func (e *engine) waitUntilReady(ctx context.Context, limit time.Duration) error {
	began, lastLogged := time.Now(), time.Time{}
	for {
		err := e.pool.Ping(ctx)
		switch {
		case err == nil && !lastLogged.IsZero():
			e.host.Log().Info("PostgreSQL is ready", "waited", time.Since(began).Round(time.Millisecond).String())
			return nil
		case err == nil, limit == 0, ctx.Err() != nil, fault.KindOf(e.Classify(err)) != fault.Unavailable:
			return err
		case time.Since(began) >= limit:
			return fmt.Errorf("not ready within %v: %w", limit, err)
		}
		if time.Since(lastLogged) >= logWaitEvery {
			lastLogged = time.Now()
			e.host.Log().Warn("waiting for PostgreSQL", "limit", limit.String(), "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(retryConnect, limit-time.Since(began))):
		}
	}
}

func (e *engine) Reader() db.Conn { return reader{e.pool} }

func (e *engine) NumbersEvents() bool { return false }

// WritesWaiting includes the writes that run.
func (e *engine) WritesWaiting() int64 { return e.waiting.Load() }

func (e *engine) Ping(ctx context.Context) error { return e.pool.Ping(ctx) }

func (e *engine) ReadBatch(_ context.Context, run func(db.Conn) error) error {
	return run(e.Reader())
}

func (e *engine) Close() error {
	e.watch.close()
	e.pool.Close()
	return nil
}

func (e *engine) Write(ctx context.Context, run func(*db.Tx) error) error {
	if e.waiting.Add(1) > db.QueueLimit {
		e.waiting.Add(-1)
		return db.ErrBusy
	}
	defer e.waiting.Add(-1)
	select {
	case e.writers <- struct{}{}:
		defer func() { <-e.writers }()
	case <-ctx.Done():
		return db.WaitError(ctx)
	}
	var err error
	for attempt := range writeAttempts {
		if attempt > 0 {
			e.host.CountRetry()
			time.Sleep(rand.N(time.Duration(attempt) * 5 * time.Millisecond)) // lets the other transaction finish
		}
		var again bool
		if again, err = e.attempt(run); !again {
			return err
		}
	}
	return db.ErrBusy.WithCause(err)
}

// attempt runs the operation once. The caller's context does not end it, because the outcome of an interrupted
// commit would be unknown.
func (e *engine) attempt(run func(*db.Tx) error) (again bool, err error) {
	ctx := context.Background()
	on, err := e.begin(ctx)
	if err != nil {
		return false, err
	}
	tx := e.host.Begin(ctx, on, on.shard())
	began := time.Now()
	if err := e.host.Run(tx, run); err != nil {
		broken := !on.answered && disconnected(err) // while it was idle
		on.rollback(ctx)
		return broken || retryable(err), err
	}
	ran := time.Now()
	e.host.BeforeCommit()
	if err := on.commit(ctx); err != nil {
		return retryable(err), err
	}
	e.host.CountCommit(time.Since(ran), 1)
	if took := time.Since(began); took > 10*db.SlowOperation {
		e.host.Log().Warn("a slow operation", "milliseconds", took.Milliseconds())
	}
	e.host.Committed(tx)
	return false, nil
}

func (e *engine) Retryable(err error) bool { return retryable(err) }

// retryable reports errors after which nothing of the transaction exists: serialization failures, deadlocks and
// operations that read what others changed.
func retryable(err error) bool {
	var pg *pgconn.PgError
	return errors.Is(err, db.ErrStale) || errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// Classify makes db.ErrBusy of errors that are not defects: the server is gone, starting, stopping, full or
// overloaded.
func (e *engine) Classify(err error) error {
	if errors.Is(err, db.ErrStale) {
		return db.ErrBusy.WithCause(err)
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code[:2] {
		case "08", "53", "57", "58", "25": // connection, resources, operator, system, transaction ended by time-out
			return db.ErrBusy.WithCause(err)
		}
		if pg.Code == "55P03" { // lock_timeout
			return db.ErrBusy.WithCause(err)
		}
		return err
	}
	if disconnected(err) {
		return db.ErrBusy.WithCause(err)
	}
	return err
}

// disconnected reports that there was no connection, or that it broke.
func disconnected(err error) bool {
	var network net.Error
	var connecting *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connecting) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err)
}

package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"punchcard/platform/db"
)

// deferredLimit is how many deferred statements are collected before they are sent.
const deferredLimit = 32

// transaction is an open transaction. Statements without a result are deferred: they are sent together with the
// next statement or with COMMIT, because a round trip takes longer than most of them.
type transaction struct {
	conn     *pgxpool.Conn
	waiting  []db.Statement
	answered bool // the server has begun the transaction
}

func (e *engine) begin(ctx context.Context) (*transaction, error) {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return &transaction{conn: conn, waiting: []db.Statement{{Text: "BEGIN"}}}, nil
}

// shards is how many rows one counter is split into. More of them cost the readers of the sum.
const shards = 16

// shard is the same for all transactions of a connection. Several connections may share it.
func (t *transaction) shard() int64 { return int64(t.conn.Conn().PgConn().PID() % shards) }

func (t *transaction) ExecDeferred(ctx context.Context, query string, args []any) error {
	args, err := copied(args)
	if err != nil {
		return err
	}
	t.waiting = append(t.waiting, db.Statement{Text: query, Args: args})
	if len(t.waiting) < deferredLimit {
		return nil
	}
	results, err := t.send(ctx)
	if err != nil {
		return err
	}
	return results.Close()
}

func (t *transaction) Exec(ctx context.Context, query string, args []any) (int64, error) {
	results, err := t.send(ctx, db.Statement{Text: query, Args: args})
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	if err != nil {
		_ = results.Close() // returns the same error
		return 0, err
	}
	return tag.RowsAffected(), results.Close()
}

func (t *transaction) Query(ctx context.Context, query string, args []any) (db.Rows, error) {
	results, err := t.send(ctx, db.Statement{Text: query, Args: args})
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close() // returns the same error
		return nil, err
	}
	return &lastRows{found, results}, nil
}

// batchOf returns what is sent in one round trip.
func batchOf(all ...[]db.Statement) *pgx.Batch {
	batch := &pgx.Batch{}
	for _, statements := range all {
		for _, s := range statements {
			batch.Queue(hideKeys(s.Text), s.Args...)
		}
	}
	return batch
}

// send sends the deferred statements and then last in one round trip, and reads the results of the deferred
// ones.
func (t *transaction) send(ctx context.Context, last ...db.Statement) (pgx.BatchResults, error) {
	waited := t.waiting
	t.waiting = nil
	results := t.conn.SendBatch(ctx, batchOf(waited, last))
	for _, s := range waited {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // returns the same error
			return nil, db.StatementError(s.Text, err)
		}
		t.answered = true
	}
	return results, nil
}

// commit ends the transaction. It sends nothing if there was no statement.
func (t *transaction) commit(ctx context.Context) error {
	if !t.answered && len(t.waiting) == 1 {
		t.conn.Release()
		return nil
	}
	results, err := t.send(ctx, db.Statement{Text: "COMMIT"})
	if err != nil {
		t.rollback(ctx)
		return err
	}
	tag, err := results.Exec()
	if err == nil && tag.String() == "ROLLBACK" {
		err = errors.New("a statement had failed")
	}
	err = errors.Join(err, results.Close())
	t.conn.Release()
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// rollback ends a transaction that failed. Its own error is dropped: the first one says more.
func (t *transaction) rollback(ctx context.Context) {
	if t.answered {
		_, _ = t.conn.Exec(ctx, "ROLLBACK") // the pool drops a connection that is still in a transaction
	}
	t.conn.Release()
}

// lastRows are the rows of the last statement of a batch.
type lastRows struct {
	pgx.Rows
	results pgx.BatchResults
}

func (r *lastRows) Close() error {
	r.Rows.Close()
	return r.results.Close()
}

// reader runs each batch on a connection of its own, or in a read-only transaction.
type reader struct {
	on interface {
		SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
		Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
		Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	}
}

func (p reader) Exec(ctx context.Context, query string, args []any) (int64, error) {
	tag, err := p.on.Exec(ctx, hideKeys(query), args...)
	return tag.RowsAffected(), err
}

func (p reader) ExecDeferred(ctx context.Context, query string, args []any) error {
	_, err := p.on.Exec(ctx, hideKeys(query), args...)
	return err
}

func (p reader) Query(ctx context.Context, query string, args []any) (db.Rows, error) {
	found, err := p.on.Query(ctx, hideKeys(query), args...)
	if err != nil {
		return nil, err
	}
	return resultRows{found}, nil
}

func (p reader) Send(ctx context.Context, statements ...db.Statement) (db.Results, error) {
	return results{p.on.SendBatch(ctx, batchOf(statements))}, nil
}

func (t *transaction) Send(ctx context.Context, statements ...db.Statement) (db.Results, error) {
	sent, err := t.send(ctx, statements...)
	return results{sent}, err
}

// results are the results of a pipeline.
type results struct{ pgx.BatchResults }

func (r results) Next() (db.Rows, error) {
	found, err := r.Query()
	return resultRows{found}, err
}

// resultRows are the rows of a statement that needs no further cleanup.
type resultRows struct{ pgx.Rows }

func (r resultRows) Close() error {
	r.Rows.Close()
	return nil
}

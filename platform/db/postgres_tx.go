package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// deferredLimit is how many deferred statements are collected before they are sent.
const deferredLimit = 32

// postgresTx is an open transaction. Statements without a result are deferred: they are sent together with the
// next statement or with COMMIT, because a round trip takes longer than most of them.
type postgresTx struct {
	conn     *pgxpool.Conn
	waiting  []statement
	answered bool // the server has begun the transaction
}

func (e *postgresEngine) begin(ctx context.Context) (*postgresTx, error) {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return &postgresTx{conn: conn, waiting: []statement{{query: "BEGIN"}}}, nil
}

// shards is how many rows one counter is split into. More of them cost the readers of the sum.
const shards = 16

// shard is the same for all transactions of a connection. Several connections may share it.
func (t *postgresTx) shard() int64 { return int64(t.conn.Conn().PgConn().PID() % shards) }

func (t *postgresTx) execDeferred(ctx context.Context, query string, args []any) error {
	args, err := copied(args)
	if err != nil {
		return err
	}
	t.waiting = append(t.waiting, statement{query, args})
	if len(t.waiting) < deferredLimit {
		return nil
	}
	results, err := t.send(ctx)
	if err != nil {
		return err
	}
	return results.Close()
}

func (t *postgresTx) exec(ctx context.Context, query string, args []any) (int64, error) {
	results, err := t.send(ctx, statement{query, args})
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

func (t *postgresTx) query(ctx context.Context, query string, args []any) (rows, error) {
	results, err := t.send(ctx, statement{query, args})
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		_ = results.Close() // returns the same error
		return nil, err
	}
	return &batchedRows{found, results}, nil
}

// batchOf returns what is sent in one round trip.
func batchOf(all ...[]statement) *pgx.Batch {
	batch := &pgx.Batch{}
	for _, statements := range all {
		for _, s := range statements {
			batch.Queue(hideKeys(s.query), s.args...)
		}
	}
	return batch
}

// send sends the deferred statements and then last in one round trip, and reads the results of the deferred
// ones.
func (t *postgresTx) send(ctx context.Context, last ...statement) (pgx.BatchResults, error) {
	waited := t.waiting
	t.waiting = nil
	results := t.conn.SendBatch(ctx, batchOf(waited, last))
	for _, s := range waited {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // returns the same error
			return nil, statementError(s.query, err)
		}
		t.answered = true
	}
	return results, nil
}

// commit ends the transaction. It sends nothing if there was no statement.
func (t *postgresTx) commit(ctx context.Context) error {
	if !t.answered && len(t.waiting) == 1 {
		t.conn.Release()
		return nil
	}
	results, err := t.send(ctx, statement{query: "COMMIT"})
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
func (t *postgresTx) rollback(ctx context.Context) {
	if t.answered {
		_, _ = t.conn.Exec(ctx, "ROLLBACK") // the pool drops a connection that is still in a transaction
	}
	t.conn.Release()
}

// batchedRows are the rows of the last statement of a batch.
type batchedRows struct {
	pgx.Rows
	results pgx.BatchResults
}

// Close implements rows.
func (r *batchedRows) Close() error {
	r.Rows.Close()
	return r.results.Close()
}

// postgresReader runs each batch on a connection of its own, or in a read-only transaction.
type postgresReader struct {
	on interface {
		SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
		Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error)
		Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	}
}

func (p postgresReader) exec(ctx context.Context, query string, args []any) (int64, error) {
	tag, err := p.on.Exec(ctx, hideKeys(query), args...)
	return tag.RowsAffected(), err
}

func (p postgresReader) execDeferred(ctx context.Context, query string, args []any) error {
	_, err := p.on.Exec(ctx, hideKeys(query), args...)
	return err
}

func (p postgresReader) query(ctx context.Context, query string, args []any) (rows, error) {
	found, err := p.on.Query(ctx, hideKeys(query), args...)
	if err != nil {
		return nil, err
	}
	return readerRows{found}, nil
}

func (p postgresReader) send(ctx context.Context, statements ...statement) (pgx.BatchResults, error) {
	return p.on.SendBatch(ctx, batchOf(statements)), nil
}

// readerRows are the rows of a statement that needs no further cleanup.
type readerRows struct{ pgx.Rows }

// Close implements rows.
func (r readerRows) Close() error {
	r.Rows.Close()
	return nil
}

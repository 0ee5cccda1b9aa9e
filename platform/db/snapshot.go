package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Snapshot runs run on a snapshot: all its statements see the data that was committed at one moment. It cannot
// write. On SQLite the write-ahead log grows meanwhile, because pages that the snapshot may read are kept.
func (d *DB) Snapshot(ctx context.Context, run func(tx *Tx) error) error {
	return d.engine.classify(d.engine.snapshot(ctx, func(on querier) error {
		return run(newTx(ctx, d, on))
	}))
}

func (e *sqliteEngine) snapshot(ctx context.Context, run func(querier) error) (err error) {
	conn, err := e.readers.take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.release(conn)
	// The rows to sort may not fit into memory.
	if err := conn.run("PRAGMA temp_store = FILE"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.run("PRAGMA temp_store = MEMORY")) }()
	return conn.inSnapshot(func() error { return run(conn) })
}

// inSnapshot runs run on what is committed now.
func (c *sqliteConn) inSnapshot(run func() error) error {
	return c.inTransaction(func() error {
		if err := c.run("SELECT COUNT(*) FROM sqlite_schema"); err != nil { // takes the snapshot
			return err
		}
		return run()
	})
}

// inTransaction gives all reads of run the snapshot that the first of them takes.
func (c *sqliteConn) inTransaction(run func() error) (err error) {
	if _, err := c.exec(context.Background(), "BEGIN", nil); err != nil {
		return err
	}
	defer func() {
		_, ended := c.exec(context.Background(), "COMMIT", nil)
		err = errors.Join(err, ended)
	}()
	return run()
}

func (e *postgresEngine) snapshot(ctx context.Context, run func(querier) error) error {
	tx, err := e.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }() // nothing was written
	for _, text := range []string{
		"SET LOCAL statement_timeout = 0", // a table may be large
		"SET LOCAL idle_in_transaction_session_timeout = 0",
		"SELECT 1", // takes the snapshot
	} {
		if _, err := tx.Exec(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return run(postgresReader{tx})
}

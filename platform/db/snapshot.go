package db

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Snapshot runs run on what was committed at one moment: all its statements see the same, however long it takes and
// whatever is written meanwhile. It cannot write. On SQLite the log of the database grows as long as it runs, because
// what the snapshot may still read is not overwritten.
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
	defer e.readers.giveBack(conn)
	// What is sorted may be larger than the memory.
	if err := conn.run("PRAGMA temp_store = FILE"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.run("PRAGMA temp_store = MEMORY")) }()
	return conn.atOneMoment(func() error { return run(conn) })
}

// atOneMoment runs run on what is committed now.
func (c *sqliteConn) atOneMoment(run func() error) error {
	return c.inTransaction(func() error {
		if err := c.run("SELECT COUNT(*) FROM sqlite_schema"); err != nil { // takes the snapshot
			return err
		}
		return run()
	})
}

// inTransaction lets all that run reads be of one moment, that of its first statement.
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

package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	conn, err := e.reading.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", e.file, err)
	}
	on := &statements{prepare: conn.PrepareContext}
	defer func() { err = errors.Join(err, on.close(), conn.Close()) }()
	// What is sorted may be larger than the memory.
	for _, text := range []string{"PRAGMA temp_store = FILE", "BEGIN"} {
		if _, err := conn.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	defer func() {
		// Without ctx, which may have ended: the connection goes back to the readers.
		_, ended := conn.ExecContext(context.Background(), "ROLLBACK")
		_, reset := conn.ExecContext(context.Background(), "PRAGMA temp_store = MEMORY")
		err = errors.Join(err, ended, reset)
	}()
	var tables int
	first := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM sqlite_schema") // takes the snapshot
	if err := first.Scan(&tables); err != nil {
		return fmt.Errorf("read %s: %w", e.file, err)
	}
	return run(on)
}

func (e *postgresEngine) snapshot(ctx context.Context, run func(querier) error) error {
	tx, err := e.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	for _, text := range []string{
		"SET LOCAL statement_timeout = 0", // a table may be large
		"SET LOCAL idle_in_transaction_session_timeout = 0",
		"SELECT 1", // takes the snapshot
	} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return run(poolQuerier{tx})
}

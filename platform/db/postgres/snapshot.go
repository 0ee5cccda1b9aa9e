package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"punchcard/platform/db"
)

func (e *engine) Snapshot(ctx context.Context, run func(db.Conn) error) error {
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
	return run(reader{tx})
}

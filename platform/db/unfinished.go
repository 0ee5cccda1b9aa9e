package db

import "context"

// Load leaves a row in the table of the programs that may use the schema, so that no program uses the database before
// what is derived from the loaded rows is made too.
const unfinishedRow = 2

// Unfinished reports whether Load has filled the database, and Finish was not called yet. The schema is current.
func (d *DB) Unfinished(ctx context.Context) (unfinished bool, err error) {
	err = d.Read(ctx, func(tx *Tx) error {
		n, err := Value[int64](tx, `SELECT COUNT(*) FROM schema_programs WHERE id = $1`, int64(unfinishedRow))
		unfinished = n > 0
		return err
	})
	return unfinished, err
}

// Finish lets programs use a database that Load has filled.
func (d *DB) Finish(ctx context.Context) error {
	return d.Write(ctx, func(tx *Tx) error {
		_, err := tx.Exec(`DELETE FROM schema_programs WHERE id = $1`, int64(unfinishedRow))
		return err
	})
}

// Load empties tables and lets run write them, without the time limits of operations, while nobody else uses the
// database. On PostgreSQL all of it is one transaction, which is committed when run returns nil. On SQLite a failure
// leaves a file of no use. Afterwards the database is unfinished.
func (d *DB) Load(ctx context.Context, tables []StoredTable, run func(to Filler, written *Tx) error) error {
	return d.engine.Load(ctx, tables, func(to Filler) error {
		_, err := to.Exec(ctx, `INSERT INTO schema_programs (id, made_by, oldest) VALUES ($1, '', '')
			ON CONFLICT (id) DO NOTHING`, []any{int64(unfinishedRow)})
		if err != nil {
			return StatementError("mark the database as unfinished", err)
		}
		return run(to, newTx(ctx, d, to))
	})
}

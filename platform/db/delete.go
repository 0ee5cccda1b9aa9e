package db

import "context"

// DeleteSome deletes the first rows that a condition with an order selects, at most limit, and returns their number.
// key is the comma-separated primary key of the table. The order is that of an index that the condition uses:
// "expires_at <= ? ORDER BY expires_at". Rows are locked in that order, so that two nodes that delete do not deadlock.
// Jobs delete in such steps, so that each holds its locks shortly.
func (tx *Tx) DeleteSome(table, key string, condition *SQL, limit int) (int64, error) {
	rows := NewSQL("FROM "+table+" WHERE ? LIMIT ?", condition, limit)
	return tx.Exec(tx.db.engine.DeleteRows(table, key, rows.Text()), rows.Args()...)
}

// WriteSteps runs steps, each in a transaction of its own, until one changes nothing. It returns how much they changed
// together.
func (d *DB) WriteSteps(ctx context.Context, step func(tx *Tx) (changed int64, err error)) (total int64, err error) {
	for {
		var changed int64
		err := d.Write(ctx, func(tx *Tx) (err error) {
			changed, err = step(tx)
			return err
		})
		if err != nil {
			return total, err
		}
		if changed == 0 {
			return total, ctx.Err()
		}
		total += changed
	}
}

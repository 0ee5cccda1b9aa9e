package db

import "context"

// Snapshot runs run on a snapshot: all its statements see the data that was committed at one moment. It cannot
// write. On SQLite the write-ahead log grows meanwhile, because pages that the snapshot may read are kept.
func (d *DB) Snapshot(ctx context.Context, run func(tx *Tx) error) error {
	return d.engine.Classify(d.engine.Snapshot(ctx, func(on Conn) error {
		return run(newTx(ctx, d, on))
	}))
}

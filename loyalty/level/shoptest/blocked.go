package shoptest

import (
	"context"
	"time"

	"punchcard/platform/db"
)

// UntilBlocked waits until a connection to the database waits for the lock of another one.
func UntilBlocked(ctx context.Context, d *db.DB) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for waiting := int64(0); waiting == 0; {
		err := d.Read(ctx, func(tx *db.Tx) (err error) {
			waiting, err = db.Value[int64](tx, `SELECT COUNT(*) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock'`)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

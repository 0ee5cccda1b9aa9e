package sqlite

import (
	"context"
	"errors"

	"punchcard/platform/db"
)

func (e *engine) Snapshot(ctx context.Context, run func(db.Conn) error) (err error) {
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
func (c *connection) inSnapshot(run func() error) error {
	return c.inTransaction(func() error {
		if err := c.run("SELECT COUNT(*) FROM sqlite_schema"); err != nil { // takes the snapshot
			return err
		}
		return run()
	})
}

// inTransaction gives all reads of run the snapshot that the first of them takes.
func (c *connection) inTransaction(run func() error) (err error) {
	if _, err := c.Exec(context.Background(), "BEGIN", nil); err != nil {
		return err
	}
	defer func() {
		_, ended := c.Exec(context.Background(), "COMMIT", nil)
		err = errors.Join(err, ended)
	}()
	return run()
}

package main

import (
	"context"
	"fmt"

	"punchcard/platform/db"
)

// written counts the bytes written to files: SQLite's log and its checkpoints, PostgreSQL's WAL and tables, and
// the log of the server. It counts what is passed to the kernel, which writes whole blocks of 4 kB.
type written struct {
	server, database int64 // SQLite has no processes of its own
	wal              int64 // the records of PostgreSQL's WAL, which its processes wrote; 0 with SQLite
}

func (w written) minus(earlier written) written {
	return written{w.server - earlier.server, w.database - earlier.database, w.wal - earlier.wal}
}

func (w written) total() int64 { return w.server + w.database }

// written reads what the server and its database have written so far. With SQLite, the responses are included.
func (t *trial) written(ctx context.Context) (w written, err error) {
	if t.engine.cluster == nil {
		w.server, err = writtenBytes(t.server.PID())
		return w, err
	}
	// Writes to files and to the database look the same here. The server's files are only appended to.
	if w.server, err = dirtiedBytes(t.server.PID()); err != nil {
		return w, err
	}
	if w.database, err = ofFamily(t.engine.postmaster, writtenBytes); err != nil {
		return w, err
	}
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		w.wal, err = db.Value[int64](tx, `SELECT CAST(pg_current_wal_lsn() - '0/0' AS BIGINT)`)
		return err
	})
	return w, err
}

func kilobytes(bytes float64) string { return fmt.Sprintf("%.1f", bytes/1000) }

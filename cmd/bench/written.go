package main

import (
	"context"
	"fmt"

	"punchcard/platform/db"
)

// writtenLimits are the most bytes that a purchase may write, by engine. More is an error: unlike rates, bytes depend
// little on what else the machine does.
var writtenLimits = map[string]float64{
	"sqlite":   writtenLimitSQLite,
	"postgres": writtenLimitPostgres,
}

const (
	writtenLimitSQLite   = 20_000
	writtenLimitPostgres = 10_000
)

// written counts the bytes written to files: SQLite's log and its checkpoints, PostgreSQL's WAL and tables, the
// message queue, and the server's log. It is what was passed to the kernel, which writes whole blocks of 4 kB.
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

// measureWritten runs a turn of the product, and divides what was written until all events are relayed by all
// answers, those of the warm-up included.
func (t *trial) measureWritten(ctx context.Context, plan *loadPlan) (found round, answered int64, err error) {
	before, err := t.written(ctx)
	if err != nil {
		return found, 0, err
	}
	if found, answered, err = t.turn(ctx, t.server, plan); err != nil {
		return found, 0, err
	}
	after, err := t.written(ctx)
	found.written, found.answered = after.minus(before), answered
	if t.engine.cluster == nil {
		found.written.server -= found.received
	}
	return found, answered, err
}

// checkWritten returns an error if purchases write more than they may. There are no limits for a grown store, in which
// they touch more pages, nor for a smoke test.
func (f *result) checkWritten(o *options) error {
	limit := writtenLimits[f.engine]
	if bytes := middle(f.product, round.bytes); f.scenario.buys && o.grown == 1 && !o.quick && bytes > limit {
		return fmt.Errorf("a purchase writes %s kB, more than %s kB", kilobytes(bytes), kilobytes(limit))
	}
	return nil
}

func (r round) bytes() float64         { return float64(r.written.total()) / float64(r.answered) }
func (r round) databaseBytes() float64 { return float64(r.written.database) / float64(r.answered) }
func (r round) walBytes() float64      { return float64(r.written.wal) / float64(r.answered) }

func kilobytes(bytes float64) string { return fmt.Sprintf("%.1f", bytes/1000) }

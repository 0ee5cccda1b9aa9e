package db

import (
	"sync/atomic"
	"time"
)

// Stats counts what a database did since it was opened, and what it does now.
type Stats struct {
	Statements    int64         // that ran, without those that begin and end transactions
	Commits       int64         // transactions that wrote
	Writes        int64         // write operations committed; divided by Commits, the mean size of a group
	CommitTime    time.Duration // of all commits
	Retries       int64         // operations that ran again after a deadlock or a lost transaction
	Batches       int64         // that ran
	BatchCalls    int64         // calls handled by batches
	WritesWaiting int64         // that wait now; on PostgreSQL, also those that run
	Reads         int64         // that run or wait now
}

// counted are the counters of Stats.
type counted struct{ statements, commits, writes, commitTime, retries, batches, batchCalls atomic.Int64 }

// starting counts and traces a statement that is to run.
func (d *DB) starting(query string, args []any) {
	d.counted.statements.Add(1)
	d.trace(query, args)
}

// committedIn counts a commit of several operations.
func (c *counted) committedIn(took time.Duration, writes int) {
	c.commits.Add(1)
	c.writes.Add(int64(writes))
	c.commitTime.Add(int64(took))
}

// Stats returns the current counts.
func (d *DB) Stats() Stats {
	c := &d.counted
	return Stats{
		Statements: c.statements.Load(),
		Commits:    c.commits.Load(), Writes: c.writes.Load(), CommitTime: time.Duration(c.commitTime.Load()),
		Retries: c.retries.Load(), Batches: c.batches.Load(), BatchCalls: c.batchCalls.Load(),
		WritesWaiting: d.engine.WritesWaiting(), Reads: d.reading.Load(),
	}
}

// CountBatch counts a batch of calls.
func (d *DB) CountBatch(calls int) {
	d.counted.batches.Add(1)
	d.counted.batchCalls.Add(int64(calls))
}

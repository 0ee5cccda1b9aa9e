package db

import (
	"sync/atomic"
	"time"
)

// Stats is what a database did since it was opened, and what it does now.
type Stats struct {
	Commits       int64         // transactions that wrote
	Writes        int64         // operations in them
	CommitTime    time.Duration // that all commits took
	Retries       int64         // operations that ran again after a deadlock or a lost transaction
	Batches       int64         // sets of calls of one operation
	BatchCalls    int64         // calls in them
	WritesWaiting int64         // waiting now; on PostgreSQL, running ones too
	Reads         int64         // running or waiting now
}

// counted is the part of Stats that grows.
type counted struct{ commits, writes, commitTime, retries, batches, batchCalls atomic.Int64 }

// committedIn counts a commit of some operations.
func (c *counted) committedIn(took time.Duration, writes int) {
	c.commits.Add(1)
	c.writes.Add(int64(writes))
	c.commitTime.Add(int64(took))
}

// Stats tells what the database did and does.
func (d *DB) Stats() Stats {
	c := &d.counted
	return Stats{
		Commits: c.commits.Load(), Writes: c.writes.Load(), CommitTime: time.Duration(c.commitTime.Load()),
		Retries: c.retries.Load(), Batches: c.batches.Load(), BatchCalls: c.batchCalls.Load(),
		WritesWaiting: d.engine.writesWaiting(), Reads: d.reading.Load(),
	}
}

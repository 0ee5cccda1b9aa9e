package sqlite

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"time"

	"punchcard/platform/db"
)

const (
	// walPages is how many pages the write-ahead log grows by before a checkpoint copies them into the database: so
	// many that a page that changes often is copied once.
	walPages   = 16384
	pageBytes  = 4096
	copyRounds = 3 // of a checkpoint; then nearly nothing is left for the writer to copy and sync

	// A log of longWAL times walPages waits readersWait for statements that still read in it before it restarts.
	// Backups are not waited for. The file is truncated to this size when the log restarts.
	longWAL     = 2
	readersWait = 20 * time.Millisecond
)

// checkpointer does WAL checkpoints beside the writer, on a connection of its own. In the writer they would block all
// writes for tens of milliseconds. The writer copies what was written meanwhile. The log restarts only when all of it
// is copied and no other connection uses it.
type checkpointer struct {
	file   *os.File // the database
	pages  int64    // that wait when a checkpoint is due
	length int64    // of the log in pages; only the writer uses it
	state  atomic.Int32
	due    chan struct{}

	follower atomic.Pointer[follower] // nil if there is none
}

const (
	walIdle    int32 = iota
	walCopying       // a checkpoint is running
	walCopied        // except for what was written meanwhile
)

// run does the checkpoints that become due, until closed is closed.
func (k *checkpointer) run(host db.Host, open func() (*connection, error), closed <-chan struct{}) {
	for {
		select {
		case <-closed:
			return
		case <-k.due:
		}
		host.BeforeCommit()
		if err := k.copyWAL(open); err != nil {
			host.Log().Warn("WAL checkpoint failed", "error", err)
			k.state.Store(walIdle)
		} else {
			k.state.Store(walCopied)
		}
	}
}

func (k *checkpointer) copyWAL(open func() (*connection, error)) error {
	conn, err := open()
	if err != nil {
		return err
	}
	for range copyRounds { // each leaves what was written meanwhile
		if err = k.advance(); err != nil {
			break
		}
		if _, _, err = conn.checkpoint("PASSIVE"); err != nil {
			break
		}
		// SQLite syncs only what completes a checkpoint, which the writer does, with a sync of all pages.
		if err = k.file.Sync(); err != nil {
			break
		}
	}
	return errors.Join(err, conn.close())
}

// look runs in the writer between two transactions: it starts a checkpoint when one is due, and completes one
// that ran.
func (k *checkpointer) look(writer *connection) error {
	mode, follower := "NOOP", k.follower.Load()
	blocked := follower != nil && follower.blocks()
	if k.state.CompareAndSwap(walCopied, walIdle) {
		mode = "PASSIVE"
		if follower != nil {
			if err := k.completeFollowed(writer); err != nil {
				return err
			}
		}
		if k.length > longWAL*k.pages && !blocked {
			mode = "RESTART"
			writer.conn.SetBusyTimeout(readersWait)
			defer writer.conn.SetBusyTimeout(busyTimeout)
		}
	}
	var waiting int64
	var err error
	k.length, waiting, err = writer.checkpoint(mode)
	if blocked && k.length > followLog {
		return errors.Join(err, follower.giveUp())
	}
	if waiting >= k.pages && !blocked && k.state.CompareAndSwap(walIdle, walCopying) {
		k.due <- struct{}{}
	}
	return err
}

// advance lets the follower read what was committed, because pages are copied only up to where it reads.
func (k *checkpointer) advance() error {
	if f := k.follower.Load(); f != nil {
		return f.advance()
	}
	return nil
}

// completeFollowed copies the rest of a log that is followed. Then the follower has no need of the log, which can
// restart.
func (k *checkpointer) completeFollowed(writer *connection) error {
	if err := k.advance(); err != nil {
		return err
	}
	if _, _, err := writer.checkpoint("PASSIVE"); err != nil {
		return err
	}
	return k.advance()
}

// checkpoint copies the log in one of SQLite's modes. It returns the length of the log in pages, and how many
// of them are not copied.
func (c *connection) checkpoint(mode string) (pages, waiting int64, err error) {
	found, err := c.Query(context.Background(), "PRAGMA wal_checkpoint("+mode+")", nil)
	if err != nil {
		return 0, 0, err
	}
	var busy, copied int64
	if found.Next() {
		err = found.Scan(&busy, &pages, &copied)
	}
	return pages, pages - copied, errors.Join(err, found.Err(), found.Close())
}

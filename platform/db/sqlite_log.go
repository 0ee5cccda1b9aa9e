package db

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

const (
	// logPages is how long the log grows before it is copied back into the database, in pages: long enough to copy a
	// page that changes often once.
	logPages   = 8192
	pageBytes  = 4096
	copyRounds = 3 // until next to nothing is left to the writer

	// A log of so many times its pages waits, before it begins anew, for those who still read in it. Who comes later
	// reads in the database, so this takes as long as the statements that run; a backup is not waited for. What is
	// longer when it begins anew is cut off.
	longLog     = 4
	readersWait = 20 * time.Millisecond
)

// logKeeper copies the log back beside the writer, on a connection of its own: in the writer it would hold up everybody
// for tens of milliseconds. What was written meanwhile is the writer's to copy: only when the whole log is copied, and
// nobody writes or reads in it at that moment, does it begin anew.
type logKeeper struct {
	pages  int64 // how many wait when it is due
	length int64 // of the log, the writer's to know
	state  atomic.Int32
	due    chan struct{}
}

const (
	logKept    int32 = iota
	logCopying       // the keeper is at it
	logCopied        // but for what came meanwhile
)

// run copies whenever it is due, until closed is.
func (k *logKeeper) run(d *DB, open func() (*sqliteConn, error), closed <-chan struct{}) {
	for {
		select {
		case <-closed:
			return
		case <-k.due:
		}
		d.beforeCommit()
		if err := k.copyLog(open); err != nil {
			d.log.Warn("the log of the database was not copied", "error", err)
			k.state.Store(logKept)
		} else {
			k.state.Store(logCopied)
		}
	}
}

func (k *logKeeper) copyLog(open func() (*sqliteConn, error)) error {
	conn, err := open()
	if err != nil {
		return err
	}
	for range copyRounds { // each leaves what was written while it copied
		if _, _, err = conn.checkpoint("PASSIVE"); err != nil {
			break
		}
	}
	return errors.Join(err, conn.close())
}

// look is called by the writer between two transactions.
func (k *logKeeper) look(writer *sqliteConn) error {
	mode := "NOOP"
	if k.state.CompareAndSwap(logCopied, logKept) {
		mode = "PASSIVE"
		if k.length > longLog*k.pages {
			mode = "RESTART"
			writer.conn.SetBusyTimeout(readersWait)
			defer writer.conn.SetBusyTimeout(busyTimeout)
		}
	}
	var waiting int64
	var err error
	k.length, waiting, err = writer.checkpoint(mode)
	if waiting >= k.pages && k.state.CompareAndSwap(logKept, logCopying) {
		k.due <- struct{}{}
	}
	return err
}

// checkpoint copies the log back in a mode of SQLite's. It returns how many pages the log has, and how many of them are
// left to be copied.
func (c *sqliteConn) checkpoint(mode string) (pages, waiting int64, err error) {
	found, err := c.query(context.Background(), "PRAGMA wal_checkpoint("+mode+")", nil)
	if err != nil {
		return 0, 0, err
	}
	var busy, copied int64
	if found.Next() {
		err = found.Scan(&busy, &pages, &copied)
	}
	return pages, pages - copied, errors.Join(err, found.Err(), found.Close())
}

// Package sqlite keeps a database in a SQLite file. One goroutine writes, and commits many waiting operations with one
// sync; a few connections read.
package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"zombiezen.com/go/sqlite"

	"punchcard/platform/db"
)

const (
	// Readers is the number of connections that read.
	Readers = 4
	// Page caches of the connections, in KiB. Other pages are in the system's cache, which is nearly as fast. The
	// writer scans all of its own after a commit that moved pages, so it is smaller.
	writerCache = 8 << 10
	readerCache = 16 << 10
)

// engine has one writing connection, used by the writer, and a few reading ones.
type engine struct {
	file    string
	opened  *os.File // the same, to sync it. Closing it ends the locks of all connections, so it is closed last
	mode    string   // ro or rwc
	readers *connectionPool
	flavour
	*writer
}

// Open opens the file of a configuration, which it creates if it is missing.
func Open(config db.Config) (*db.DB, error) {
	return db.New(config, func(host db.Host) (db.Engine, error) {
		e, err := openEngine(host, config)
		if err != nil {
			return nil, err
		}
		return e, nil
	})
}

func openEngine(host db.Host, config db.Config) (*engine, error) {
	file, mode := config.File, "rwc"
	if config.ReadOnly {
		mode = "ro"
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("there is no database: %w", err)
		}
	} else if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	e := &engine{file: file, mode: mode}
	writing, err := openConn(file, mode, "wal_autocheckpoint = 0", fmt.Sprintf("cache_size = -%d", writerCache),
		fmt.Sprintf("journal_size_limit = %d", longWAL*walPages*pageBytes))
	if err != nil {
		return nil, explainDisk(file, err)
	}
	e.readers = newPool(Readers, func() (*connection, error) {
		return openConn(file, mode, "query_only = ON", fmt.Sprintf("cache_size = -%d", readerCache))
	})
	if e.opened, err = os.Open(file); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database: %w", err), writing.close())
	}
	e.writer = startWriter(host, writing, e.opened, cmp.Or(config.CheckpointPages, walPages),
		func() (*connection, error) { return openConn(file, "rw") })
	return e, nil
}

func (e *engine) Reader() db.Conn { return e.readers }

func (e *engine) NumbersEvents() bool { return true }

func (e *engine) WritesWaiting() int64 { return int64(e.queue.Len()) }

// Retryable is always false: the writer repeats lost transactions itself.
func (e *engine) Retryable(error) bool { return false }

// ReadBatch uses one connection and one transaction. A transaction for each statement would cost as much as a
// short statement.
func (e *engine) ReadBatch(ctx context.Context, run func(db.Conn) error) error {
	conn, err := e.readers.take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.release(conn)
	return conn.inTransaction(func() error { return run(conn) })
}

// Ping writes, so that it includes the disk.
func (e *engine) Ping(ctx context.Context) error {
	return e.Write(ctx, func(tx *db.Tx) error {
		if e.failing.Load() { // rewrites the first page: an empty commit succeeds on any disk
			_, err := tx.Exec(`PRAGMA user_version = 0`)
			return err
		}
		_, err := db.Value[int64](tx, `SELECT 1`)
		return err
	})
}

// Analyze does nothing, because the statistics are constants.
func (e *engine) Analyze(context.Context) error { return nil }

// Close leaves one file behind: the last connection to close does a checkpoint and removes the write-ahead
// log. That is the writer's. A connection with an interrupted statement would leave the log as it is.
func (e *engine) Close() error {
	e.stop()
	return errors.Join(e.readers.close(), e.writer.conn.close(), e.opened.Close())
}

// Classify makes db.ErrBusy of errors that are not defects: the disk is full or broken, or another process locks
// the file.
func (e *engine) Classify(err error) error {
	if unavailable(err) {
		return db.ErrBusy.WithCause(explainDisk(e.file, err))
	}
	return err
}

func unavailable(err error) bool {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultBusy, sqlite.ResultLocked, sqlite.ResultIOErr, sqlite.ResultFull, sqlite.ResultCantOpen:
		return true
	}
	return false
}

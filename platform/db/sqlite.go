package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"zombiezen.com/go/sqlite"
)

const (
	sqliteReaders = 4
	// Page caches of the connections, in KiB. Other pages are in the system's cache, which is nearly as fast. The
	// writer scans all of its own after a commit that moved pages, so it is smaller.
	writerCache = 8 << 10
	readerCache = 16 << 10
)

// sqliteEngine has one writing connection, used by the writer, and a few reading ones.
type sqliteEngine struct {
	file    string
	mode    string // ro or rwc
	readers *sqlitePool
	*writer
}

func openSQLite(d *DB, file string, readOnly bool) (*sqliteEngine, error) {
	mode := "rwc"
	if readOnly {
		mode = "ro"
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("there is no database: %w", err)
		}
	} else if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	e := &sqliteEngine{file: file, mode: mode}
	writing, err := openConn(file, mode, "wal_autocheckpoint = 0", fmt.Sprintf("cache_size = -%d", writerCache),
		fmt.Sprintf("journal_size_limit = %d", longWAL*walPages*pageBytes))
	if err != nil {
		return nil, explainDisk(file, err)
	}
	e.readers = newPool(sqliteReaders, func() (*sqliteConn, error) {
		return openConn(file, mode, "query_only = ON", fmt.Sprintf("cache_size = -%d", readerCache))
	})
	e.writer = startWriter(d, writing, func() (*sqliteConn, error) { return openConn(file, "rw") })
	return e, nil
}

func (e *sqliteEngine) name() string         { return "sqlite" }
func (e *sqliteEngine) reader() querier      { return e.readers }
func (e *sqliteEngine) numbersEvents() bool  { return true }
func (e *sqliteEngine) writesWaiting() int64 { return int64(len(e.queue)) }

// readBatch uses one connection and one transaction. A transaction for each statement would cost as much as a
// short statement.
func (e *sqliteEngine) readBatch(ctx context.Context, run func(querier) error) error {
	conn, err := e.readers.take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.release(conn)
	return conn.inTransaction(func() error { return run(conn) })
}

func (e *sqliteEngine) ping(ctx context.Context) error {
	return e.write(ctx, func(tx *Tx) error {
		if e.failing.Load() { // rewrites the first page: an empty commit succeeds on any disk
			_, err := tx.Exec(`PRAGMA user_version = 0`)
			return err
		}
		_, err := Value[int64](tx, `SELECT 1`)
		return err
	})
}

// analyze does nothing, because the statistics are constants.
func (e *sqliteEngine) analyze(context.Context) error { return nil }

// close leaves one file behind: the last connection to close does a checkpoint and removes the write-ahead
// log. That is the writer's. A connection with an interrupted statement would leave the log as it is.
func (e *sqliteEngine) close() error {
	e.stop()
	return errors.Join(e.readers.close(), e.writer.conn.close())
}

// classify makes ErrBusy of errors that are not defects: the disk is full or broken, or another process locks
// the file.
func (e *sqliteEngine) classify(err error) error {
	if unavailable(err) {
		return ErrBusy.WithCause(explainDisk(e.file, err))
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

var (
	locking     = regexp.MustCompile(` FOR (UPDATE|SHARE)( OF [a-z]+)?$`)
	placeholder = regexp.MustCompile(`\$([0-9]+)`)
	typedValue  = regexp.MustCompile(`CAST\((\$[0-9]+) AS [A-Z]+\)`)
	boundLimit  = regexp.MustCompile(`LIMIT (\$[0-9]+)`)
)

// sqliteText adapts a statement of the common SQL:
//
// FOR UPDATE and FOR SHARE go, because SQLite locks the whole database.
//
// OR FAIL is added: a statement that fails takes its operation with it, so SQLite need not copy pages to undo
// the statement alone.
//
// LIMIT gets a sum: for a bare parameter, SQLite plans the statement again each time it is bound.
//
// CAST of a parameter goes, because values bring their types here.
//
// $1 becomes ?1, which SQLite does not look up by name.
func sqliteText(query string) string {
	text := boundLimit.ReplaceAllString(locking.ReplaceAllString(query, ""), "LIMIT ${1} + 0")
	for _, verb := range []string{"INSERT", "UPDATE"} {
		if rest, found := strings.CutPrefix(text, verb+" "); found && !strings.Contains(rest, "ON CONFLICT") {
			text = verb + " OR FAIL " + rest
		}
	}
	return placeholder.ReplaceAllString(typedValue.ReplaceAllString(text, "$1"), "?$1")
}

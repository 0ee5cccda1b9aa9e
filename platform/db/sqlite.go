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
	// The caches of the connections, in KiB. What they do not hold is in the system's cache, nearly as close; and the
	// writer looks through the whole of its own after a commit that moved pages.
	writerCache = 8 << 10
	readerCache = 16 << 10
)

// sqliteEngine has one writing connection, owned by the writer, and a few reading ones.
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
		fmt.Sprintf("journal_size_limit = %d", longLog*logPages*pageBytes))
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

// readSet keeps one connection and one transaction: to begin and end one for each statement costs as much as a short
// statement does.
func (e *sqliteEngine) readSet(ctx context.Context, run func(querier) error) error {
	conn, err := e.readers.take(ctx)
	if err != nil {
		return err
	}
	defer e.readers.giveBack(conn)
	return conn.inTransaction(func() error { return run(conn) })
}

func (e *sqliteEngine) ping(ctx context.Context) error {
	return e.write(ctx, func(tx *Tx) error {
		if e.failing.Load() { // a commit of nothing succeeds on any disk: this one rewrites the first page
			_, err := tx.Exec(`PRAGMA user_version = 0`)
			return err
		}
		_, err := Value[int64](tx, `SELECT 1`)
		return err
	})
}

// analyze does nothing: SQLite's planner goes by the keys, which is what every statement here wants.
func (e *sqliteEngine) analyze(context.Context) error { return nil }

// close leaves one file behind: the last connection to close copies the log back and removes it. That is the writer's,
// because one whose statement was cut off would leave the log as it is.
func (e *sqliteEngine) close() error {
	e.stop()
	return errors.Join(e.readers.close(), e.writer.conn.close())
}

// classify tells a disk that is full, broken or locked by another process, which a caller may try
// again later, from a defect of ours.
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

// sqliteText adapts the one SQL text. SQLite locks as a whole, so FOR UPDATE and FOR SHARE go. A statement that
// fails takes its operation with it, so it need not keep copies of pages to undo itself alone: OR FAIL. A LIMIT that
// is a bare value makes SQLite plan the statement anew each time it is bound; a sum does not. Values are ?1, ?2, …:
// $1 is a name for it, which it keeps and looks for.
func sqliteText(query string) string {
	text := boundLimit.ReplaceAllString(locking.ReplaceAllString(query, ""), "LIMIT ${1} + 0")
	for _, verb := range []string{"INSERT", "UPDATE"} {
		if rest, found := strings.CutPrefix(text, verb+" "); found && !strings.Contains(rest, "ON CONFLICT") {
			text = verb + " OR FAIL " + rest
		}
	}
	return placeholder.ReplaceAllString(typedValue.ReplaceAllString(text, "$1"), "?$1") // values bring their types here
}

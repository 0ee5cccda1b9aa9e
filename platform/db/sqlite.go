package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"

	"punchcard/platform/fault"
)

const (
	sqliteReaders = 4
	// logPages is the length of the log at which a commit copies it back into the database: long enough
	// to write a page that changes often once, short enough not to hold up that commit for long.
	logPages = 8192
)

// sqliteEngine has one writing connection, owned by the writer, and a few reading ones.
type sqliteEngine struct {
	file    string
	writing *sql.DB
	reading *sql.DB
	readers *statements
	*writer
}

func openSQLite(ctx context.Context, d *DB, file string, readOnly bool) (*sqliteEngine, error) {
	mode := "rwc"
	if readOnly {
		mode = "ro"
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("there is no database: %w", err)
		}
	} else if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	e := &sqliteEngine{file: file}
	var err error
	e.writing, err = openFile(file, mode, fmt.Sprintf("wal_autocheckpoint(%d)", logPages), "cache_size(-65536)")
	if err != nil {
		return nil, err
	}
	if e.reading, err = openFile(file, mode, "query_only(1)", "cache_size(-16384)"); err != nil {
		return nil, err
	}
	e.reading.SetMaxOpenConns(sqliteReaders)
	e.reading.SetMaxIdleConns(sqliteReaders)
	e.readers = &statements{prepare: e.reading.PrepareContext}
	if e.writer, err = startWriter(ctx, d, e); err != nil {
		return nil, errors.Join(err, e.writing.Close(), e.reading.Close())
	}
	return e, nil
}

// openFile opens the database file in a mode of SQLite's, ro, rw or rwc, which creates it; busy_timeout comes first
// because the other settings may wait too.
func openFile(file, mode string, pragmas ...string) (*sql.DB, error) {
	fixed := []string{"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"temp_store(MEMORY)"}
	if mode == "ro" {
		fixed = []string{"busy_timeout(5000)", "temp_store(MEMORY)"}
	}
	return sql.Open("sqlite", address(file, url.Values{"mode": {mode}, "_pragma": append(fixed, pragmas...)}))
}

func (e *sqliteEngine) name() string        { return "sqlite" }
func (e *sqliteEngine) reader() querier     { return e.readers }
func (e *sqliteEngine) numbersEvents() bool { return true }

func (e *sqliteEngine) writesWaiting() int64 {
	if e.writer == nil { // read only
		return 0
	}
	return int64(len(e.queue))
}

func (e *sqliteEngine) destinations(columns []any) []any { return unpacking(columns) }

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

func (e *sqliteEngine) close() error {
	e.stop()
	return errors.Join(e.readers.close(), e.reading.Close(), e.writing.Close())
}

// classify tells a disk that is full, broken or locked by another process, which a caller may try
// again later, from a defect of ours.
func (e *sqliteEngine) classify(err error) error {
	if unavailable(err) {
		return &fault.Error{Kind: fault.Unavailable, RetryAfter: time.Second}
	}
	return err
}

func unavailable(err error) bool {
	var broken *sqlite.Error
	if err == nil || !errors.As(err, &broken) {
		return false
	}
	switch broken.Code() & 0xff {
	case 5, 6, 10, 13, 14: // BUSY, LOCKED, IOERR, FULL, CANTOPEN
		return true
	}
	return false
}

// statements prepares every text once and keeps it: parsing costs more than running. The texts are
// those of the code, so their number is bounded.
type statements struct {
	prepare func(ctx context.Context, query string) (*sql.Stmt, error)
	byText  sync.Map // of string to *sql.Stmt
}

func (s *statements) get(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := s.byText.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := s.prepare(ctx, sqliteText(query))
	if err != nil {
		return nil, err
	}
	if earlier, loaded := s.byText.LoadOrStore(query, stmt); loaded {
		return earlier.(*sql.Stmt), stmt.Close()
	}
	return stmt, nil
}

var (
	locking     = regexp.MustCompile(` FOR (UPDATE|SHARE)( OF [a-z]+)?$`)
	placeholder = regexp.MustCompile(`\$[0-9]+`)
	typedValue  = regexp.MustCompile(`CAST\((\$[0-9]+) AS [A-Z]+\)`)
	boundLimit  = regexp.MustCompile(`LIMIT (\$[0-9]+)`)
)

// sqliteText adapts the one SQL text. SQLite locks as a whole, so FOR UPDATE and FOR SHARE go. A statement that
// fails takes its operation with it, so it need not keep copies of pages to undo itself alone: OR FAIL. A LIMIT that
// is a bare value makes SQLite plan the statement anew each time it is bound; a sum does not.
func sqliteText(query string) string {
	text := boundLimit.ReplaceAllString(locking.ReplaceAllString(query, ""), "LIMIT ${1} + 0")
	for _, verb := range []string{"INSERT", "UPDATE"} {
		if rest, found := strings.CutPrefix(text, verb+" "); found && !strings.Contains(rest, "ON CONFLICT") {
			text = verb + " OR FAIL " + rest
		}
	}
	return unnamed(typedValue.ReplaceAllString(text, "$1")) // values bring their types here
}

// unnamed writes $1, $2, … as ? when each stands once and in order. SQLite keeps the others as names
// and searches them one by one for every value, which is quadratic in rows that are written together.
func unnamed(query string) string {
	found := placeholder.FindAllString(query, -1)
	for i, name := range found {
		if name != "$"+strconv.Itoa(i+1) {
			return query
		}
	}
	return placeholder.ReplaceAllLiteralString(query, "?")
}

func (s *statements) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	stmt, err := s.get(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, packed(args)...)
}

func (s *statements) query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	stmt, err := s.get(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, packed(args)...)
}

func (s *statements) close() error {
	var err error
	s.byText.Range(func(_, stmt any) bool {
		err = errors.Join(err, stmt.(*sql.Stmt).Close())
		return true
	})
	return err
}

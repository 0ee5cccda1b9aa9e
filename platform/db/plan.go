package db

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"time"
)

// Step is one statement of a migration that a database does not have yet.
type Step struct {
	Migration string // name of the file, whose statements run in one transaction and hold their locks until its end
	Statement string // on one line
	Lock      string // what others wait for
	Rows      int64  // that it reads or writes
	Expected  time.Duration
}

// The rows that a statement handles in a second on a small server. A large one is several times as fast.
const (
	readsPerSecond  = 500_000 // builds an index
	writesPerSecond = 50_000  // changes rows
)

// The effects of statements on others.
const (
	noLock    = "nothing: the table is new"
	newRows   = "the rows that it adds"
	rowLocks  = "the rows of %s that it changes"
	briefLock = "all of %s, for a moment; it waits for transactions that use the table, and others wait behind it"
	fullLock  = "all of %s, also reads"
	shareLock = "writes to %s; reads go on"
	fileLock  = "all writes; reads go on"
)

// stepKinds are the kinds of statements, by their first words, of which the first that fits counts. The first group is
// the table.
var stepKinds = []struct {
	begins    *regexp.Regexp
	lock      string // on PostgreSQL
	perSecond int64  // rows; 0 if they do not matter
	inFile    int64  // the same on SQLite, which has no other lock than that of all writes
}{
	{regexp.MustCompile(`^CREATE TABLE (\w+)`), noLock, 0, 0},
	{regexp.MustCompile(`^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)`), shareLock, readsPerSecond, readsPerSecond},
	{regexp.MustCompile(`^ALTER TABLE (\w+) ADD COLUMN .*GENERATED`), fullLock, writesPerSecond, 0},
	{regexp.MustCompile(`^ALTER TABLE (\w+) (?:ADD COLUMN|RENAME)`), briefLock, 0, 0},
	{regexp.MustCompile(`^ALTER TABLE (\w+) DROP COLUMN`), briefLock, 0, writesPerSecond},
	{regexp.MustCompile(`^ALTER TABLE (\w+) ALTER COLUMN \w+ (?:SET|DROP) DEFAULT`), briefLock, 0, 0},
	{regexp.MustCompile(`^ALTER TABLE (\w+)`), fullLock, writesPerSecond, writesPerSecond},
	{regexp.MustCompile(`^INSERT INTO (\w+) .*\bVALUES\b`), newRows, 0, 0},
	{regexp.MustCompile(`^INSERT INTO \w+ .*\bFROM (\w+)`), newRows, writesPerSecond, writesPerSecond},
	{regexp.MustCompile(`^UPDATE (\w+)`), rowLocks, writesPerSecond, writesPerSecond},
	{regexp.MustCompile(`^DELETE FROM (\w+)`), rowLocks, writesPerSecond, writesPerSecond},
	{regexp.MustCompile(`^DROP (?:TABLE|INDEX) (?:IF EXISTS )?(\w+)`), briefLock, 0, 0},
}

// Plan returns the statements that Migrate would run now, with what others would wait for, and for how long.
func (d *DB) Plan(ctx context.Context, migrations fs.FS) ([]Step, error) {
	current, _, err := d.CheckSchema(ctx, migrations)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		return nil, err
	}
	var steps []Step
	made := map[string]bool{} // tables that do not exist yet
	for _, name := range names {
		number, err := MigrationNumber(name)
		if err != nil || number <= current {
			continue
		}
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, err
		}
		for _, statement := range schemaStatements(d.engine.AdaptSchema(string(text))) {
			step, err := d.plan(ctx, statement, made)
			if err != nil {
				return nil, err
			}
			step.Migration = name
			steps = append(steps, step)
		}
	}
	return steps, nil
}

// plan describes a statement. made has the tables of earlier statements.
func (d *DB) plan(ctx context.Context, statement string, made map[string]bool) (Step, error) {
	step := Step{Statement: statement, Lock: "unknown: it is none of the usual statements"}
	for _, kind := range stepKinds {
		found := kind.begins.FindStringSubmatch(statement)
		if found == nil {
			continue
		}
		table, perSecond := found[1], kind.perSecond
		step.Lock = kind.lock
		if strings.Contains(kind.lock, "%s") {
			step.Lock = fmt.Sprintf(kind.lock, table)
		}
		if d.Engine() == "sqlite" {
			step.Lock, perSecond = fileLock, kind.inFile
		}
		if kind.lock == noLock {
			made[table] = true
		}
		if perSecond == 0 || made[table] {
			break
		}
		err := d.Read(ctx, func(tx *Tx) (err error) {
			step.Rows, err = Value[int64](tx, `SELECT COUNT(*) FROM `+table)
			return err
		})
		step.Expected = time.Duration(step.Rows) * time.Second / time.Duration(perSecond)
		return step, err
	}
	return step, nil
}

// schemaStatements returns the statements of a migration, each on one line without comments.
func schemaStatements(text string) []string {
	var statements []string
	var current []string
	block := false // between StatementBegin and StatementEnd a semicolon ends nothing
	for line := range strings.Lines(text) {
		code, comment, _ := strings.Cut(line, "--")
		if command, is := strings.CutPrefix(strings.TrimSpace(comment), "+goose "); is {
			block = command == "StatementBegin"
			if command == "Down" {
				break
			}
		}
		code = strings.Join(strings.Fields(code), " ")
		if code != "" {
			current = append(current, code)
		}
		if !block && len(current) > 0 && strings.HasSuffix(current[len(current)-1], ";") {
			statements = append(statements, strings.TrimSuffix(strings.Join(current, " "), ";"))
			current = nil
		}
	}
	return statements
}

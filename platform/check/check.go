// Package check verifies that the rows of a database are consistent. Each feature writes rules for
// its own tables. They run on one snapshot of a database that may be in use.
package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"punchcard/platform/db"
)

// FindingLimit is how many findings of one rule are reported. Further ones are only counted.
const FindingLimit = 20

// Finding is one row that breaks a rule.
type Finding struct {
	Rule  string
	Store int64  // key of the store, 0 for rows without one
	ID    string // of the row
	Is    string
	Want  string
}

// String formats the finding as one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s: store %d, %s: is %s, should be %s", f.Rule, f.Store, f.ID, f.Is, f.Want)
}

// Rule is one invariant.
type Rule struct {
	Name string // feature and subject, such as purchase.counters
	find func(tx *db.Tx, found func(store int64, id, is, want string)) error
}

// Fold makes a rule in Go: find reads the rows and reports those that violate it.
func Fold(name string, find func(tx *db.Tx, found func(store int64, id, is, want string)) error) Rule {
	return Rule{name, find}
}

// Rows makes a rule in SQL: a query for the rows that violate it. Its columns are the store's key,
// an id, the present value and the expected one, the last three of any type.
func Rows(name, query string) Rule {
	type row struct {
		store        int64
		id, is, want string
	}
	return Fold(name, func(tx *db.Tx, found func(int64, string, string, string)) error {
		return db.Each(tx, func(r *row) []any {
			return []any{&r.store, db.Text(&r.id), db.Text(&r.is), db.Text(&r.want)}
		}, func(r row) { found(r.store, r.id, r.is, r.want) }, query)
	})
}

// Totals is a query for one number per id, with the columns store_id, id and total.
type Totals string

// Equal makes a rule that two queries return the same numbers. A missing row counts as 0.
func Equal(name string, is, want Totals) Rule {
	return Rows(name, `SELECT store_id, id, CAST(SUM(present) AS BIGINT), CAST(SUM(wanted) AS BIGINT) FROM (
		SELECT store_id, id, total AS present, 0 AS wanted FROM (`+string(is)+`) i UNION ALL
		SELECT store_id, id, 0, total FROM (`+string(want)+`) w) u
		GROUP BY store_id, id HAVING SUM(present) <> SUM(wanted)`)
}

// Table is a table whose rows are referred to by an id that is unique in a store.
type Table struct {
	Name string
	ID   string // column
	Only string // SQL condition for the rows that count; empty for all
}

// Refers makes a rule that every value of a column is empty or the id of a row in the same store.
func Refers(name string, from Table, column string, to Table) Rule {
	conditions := ""
	if from.Only != "" {
		conditions += ` AND (` + from.Only + `)`
	}
	target := `SELECT store_id AS target_store, ` + to.ID + ` AS target_id FROM ` + to.Name
	if to.Only != "" {
		target += ` WHERE ` + to.Only
	}
	return Rows(name, `SELECT store_id, `+from.ID+`, `+column+`, '`+column+` of `+to.Name+` in this store'
		FROM (SELECT * FROM `+from.Name+`) r WHERE `+column+` <> ''`+conditions+`
		AND NOT EXISTS (SELECT 1 FROM (`+target+`) t WHERE target_store = store_id AND target_id = `+column+`)`)
}

// OneOf makes a rule that a column holds one of the values, which are SQL literals without quotes.
func OneOf(name string, of Table, column string, values ...string) Rule {
	return Rows(name, `SELECT store_id, `+of.ID+`, `+column+`, 'one of `+strings.Join(values, ", ")+`' FROM `+of.Name+`
		WHERE `+column+` NOT IN ('`+strings.Join(values, `', '`)+`')`)
}

// JSON makes a rule that a column contains JSON that decodes into a T. Findings do not quote the
// text, which may be personal data.
func JSON[T any](name string, of Table, column string) Rule {
	return Decodes(name, of, column, func(text []byte) error { return json.Unmarshal(text, new(T)) })
}

// Decodes makes a rule that decode accepts every value of a column. Findings show the error, which must not
// quote personal data.
func Decodes(name string, of Table, column string, decode func(text []byte) error) Rule {
	type row struct {
		store    int64
		id, text string
	}
	return Fold(name, func(tx *db.Tx, found func(int64, string, string, string)) error {
		return db.Each(tx, func(r *row) []any { return []any{&r.store, db.Text(&r.id), &r.text} }, func(r row) {
			if err := decode([]byte(r.text)); err != nil {
				found(r.store, r.id, err.Error(), "what "+column+" is read into")
			}
		}, `SELECT store_id, `+of.ID+`, `+column+` FROM `+of.Name)
	})
}

// Written makes a rule that write returns every value of a column unchanged. Findings do not quote the text, which may
// be personal data.
func Written(name string, of Table, column string, write func(text string) string) Rule {
	return Decodes(name, of, column, func(text []byte) error {
		if write(string(text)) != string(text) {
			return errWritten
		}
		return nil
	})
}

var errWritten = errors.New("a key that is typed in another form")

// Summary is the result of a run.
type Summary struct {
	Rules    int
	Findings int64
}

// Report receives the progress of a run. It is called from one goroutine.
type Report struct {
	Begin   func(rule string, done, of int)   // before each rule
	Finding func(f Finding)                   // at most FindingLimit times per rule
	More    func(rule string, notShown int64) // after a rule with further findings
}

// Run runs the rules on a snapshot of the database.
func Run(ctx context.Context, d *db.DB, rules []Rule, report Report) (sum Summary, err error) {
	err = d.Snapshot(ctx, func(tx *db.Tx) (err error) {
		sum, err = RunIn(tx, rules, report)
		return err
	})
	return sum, err
}

// RunIn runs the rules in a transaction.
func RunIn(tx *db.Tx, rules []Rule, report Report) (sum Summary, err error) {
	for i, rule := range rules {
		report.Begin(rule.Name, i, len(rules))
		n, err := rule.run(tx, report.Finding)
		if err != nil {
			return sum, fmt.Errorf("%s: %w", rule.Name, err)
		}
		if n > FindingLimit {
			report.More(rule.Name, n-FindingLimit)
		}
		sum.Rules, sum.Findings = sum.Rules+1, sum.Findings+n
	}
	return sum, nil
}

func (r Rule) run(tx *db.Tx, report func(Finding)) (n int64, err error) {
	err = r.find(tx, func(store int64, id, is, want string) {
		if n++; n <= FindingLimit {
			report(Finding{r.Name, store, id, is, want})
		}
	})
	return n, err
}

package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// expectClean fails when the data does not fit together.
func expectClean(t *testing.T, database app.Database) {
	t.Helper()
	var out bytes.Buffer
	if n, err := app.Check(t.Context(), database, &out, io.Discard); err != nil || n > 0 {
		t.Errorf("%d findings, %v:\n%s", n, err, &out)
	}
}

// damage is something done to the data by hand.
type damage struct {
	rule string                    // that must find it
	also []string                  // further rules that it breaks as well
	only string                    // engine, empty for both
	do   func(h *hand) (id string) // which the rule must name
}

// hand changes rows behind the back of the operations. It panics when it cannot: it runs on the writer's goroutine,
// where a test cannot be ended.
type hand struct {
	t  *testing.T
	db *db.DB
	tx *db.Tx
}

func (h *hand) exec(query string, args ...any) {
	if n, err := h.tx.Exec(query, args...); err != nil || n == 0 {
		panic(fmt.Errorf("%s: %d rows, %w", query, n, err))
	}
}

func (h *hand) pick(query string, args ...any) (id string) {
	id, _, err := db.One(h.tx, func(s *string) []any { return []any{db.Text(s)} }, query, args...)
	if err != nil || id == "" {
		panic(fmt.Errorf("%s: %q, %w", query, id, err))
	}
	return id
}

// repeat adds a row like the first one that fits, with other values in some columns.
func (h *hand) repeat(table, where string, other map[string]any) {
	columns, err := columnsOf(h.t, h.db, table)
	if err != nil {
		panic(err)
	}
	values, args := slices.Clone(columns), []any(nil)
	for i, column := range columns {
		if value, is := other[column]; is {
			args = append(args, value)
			values[i] = fmt.Sprintf("$%d", len(args))
		}
	}
	h.exec(`INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) SELECT `+strings.Join(values, ", ")+
		` FROM `+table+` WHERE `+where+` LIMIT 1`, args...)
}

// Each rule finds what is broken by hand, with the right id, and nothing else does.
func TestEveryRuleFindsWhatBreaksIt(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			_, database := startDemo(t, engine)
			expectClean(t, database)
			b := &bench{rules: app.Rules()}
			b.db = dbtest.Open(t, db.Config{
				URL: database.Database, File: database.Data + "/punchcard.db",
				Trace: func(query string, _ []any) { b.said.WriteString(query + ";") },
			}, standingClock)
			b.readRules(t)
			broken := map[string]bool{}
			for i, c := range damages() {
				broken[c.rule] = true
				if c.only != "" && c.only != engine {
					continue
				}
				t.Run(fmt.Sprintf("%03d %s", i, c.rule), func(t *testing.T) { c.try(t, b) })
			}
			for _, rule := range app.Rules() {
				if !broken[rule.Name] {
					t.Errorf("no test breaks %s", rule.Name)
				}
			}
			expectClean(t, database)
		})
	}
}

var errUndo = errors.New("undo")

// bench is where damage is done and rules are tried. It knows which rules read which tables.
type bench struct {
	db    *db.DB
	rules []check.Rule
	texts map[string]string // the statements of each rule
	said  strings.Builder   // statements since it was last emptied
}

func (b *bench) run(tx *db.Tx, rules []check.Rule, found func(check.Finding)) error {
	_, err := check.RunIn(tx, rules, check.Report{
		Begin: func(string, int, int) {}, Finding: found, More: func(string, int64) {},
	})
	return err
}

// readRules runs each rule to hear what it reads.
func (b *bench) readRules(t *testing.T) {
	b.texts = map[string]string{}
	err := b.db.Write(t.Context(), func(tx *db.Tx) error {
		for i, rule := range b.rules {
			b.said.Reset()
			if err := b.run(tx, b.rules[i:i+1], func(check.Finding) {}); err != nil {
				return err
			}
			b.texts[rule.Name] += b.said.String() // some rules share a name
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

var writes = regexp.MustCompile(`(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)`)

// reading are the rules that read a table which the statements since the last Reset wrote. No other can tell.
func (b *bench) reading() []check.Rule {
	var tables []*regexp.Regexp
	for _, found := range writes.FindAllStringSubmatch(b.said.String(), -1) {
		tables = append(tables, regexp.MustCompile(`\b`+found[1]+`\b`))
	}
	return slices.DeleteFunc(slices.Clone(b.rules), func(r check.Rule) bool {
		return !slices.ContainsFunc(tables, func(t *regexp.Regexp) bool { return t.MatchString(b.texts[r.Name]) })
	})
}

// try does the damage and undoes it.
func (c damage) try(t *testing.T, b *bench) {
	findings := map[string][]check.Finding{}
	var id string
	err := b.db.Write(t.Context(), func(tx *db.Tx) error {
		clear(findings)
		b.said.Reset()
		id = c.do(&hand{t, b.db, tx})
		err := b.run(tx, b.reading(), func(f check.Finding) { findings[f.Rule] = append(findings[f.Rule], f) })
		return errors.Join(err, errUndo)
	})
	if !errors.Is(err, errUndo) || strings.Contains(err.Error(), "\n") {
		t.Fatal(err)
	}
	want := append([]string{c.rule}, c.also...)
	slices.Sort(want)
	if strings.HasPrefix(c.rule, "store.of.") { // such a row fits nothing
		for rule, all := range findings {
			if all[0].Store == strayStore && rule != c.rule {
				delete(findings, rule)
			}
		}
	}
	if got := slices.Sorted(maps.Keys(findings)); !slices.Equal(got, want) {
		t.Errorf("found by %q, want %q: %v", got, want, findings)
	}
	if !slices.ContainsFunc(findings[c.rule], func(f check.Finding) bool { return f.ID == id }) {
		t.Errorf("found %v, want %s", findings[c.rule], id)
	}
}

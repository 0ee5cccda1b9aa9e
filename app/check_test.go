package app_test

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// damage is a change of rows that breaks a rule.
type damage struct {
	rule string                    // that must report it
	also []string                  // further rules that it breaks as well
	only string                    // engine, empty for both
	do   func(h *hand) (id string) // returns the id that the rule must name
}

// hand changes rows without the operations. It panics on errors, because it runs in the writer's goroutine, which must
// not end the test.
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

// placePurchases corrects the positions that SQLite stores beside the purchases.
func (h *hand) placePurchases() {
	if h.db.Engine() != "sqlite" {
		return
	}
	for _, table := range []string{"recent_positions", "purchase_positions"} {
		if _, err := h.tx.Exec("DELETE FROM " + table); err != nil {
			panic(err)
		}
	}
	h.exec(`INSERT INTO recent_positions (store_id, campaign_id, position, coupon_id)
		SELECT store_id, campaign_id, position, coupon_id FROM purchases`)
}

// repeat copies the first matching row, with other values in some columns.
func (h *hand) repeat(table, where string, other map[string]any) {
	columns, err := servertest.ColumnsOf(h.t, h.db, table)
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

// For each damage, the rule that it breaks reports the right id, and no other rule reports anything.
func TestEveryRuleFindsWhatBreaksIt(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		_, database := servertest.StartDemo(t, engine)
		servertest.ExpectClean(t, database)
		statements := &listener{texts: map[string]string{}}
		d := dbtest.Open(t, db.Config{
			URL: database.Database, File: database.Data + "/punchcard.db", Trace: statements.trace,
		}, servertest.FixedClock)
		statements.recordRules(t, d)
		broken := map[string]bool{}
		for i, c := range damages() {
			broken[c.rule] = true
			if c.only != "" && c.only != engine {
				continue
			}
			t.Run(fmt.Sprintf("%03d %s", i, c.rule), func(t *testing.T) { c.try(t, d, statements) })
		}
		for _, rule := range (app.Kinds{}).Rules() {
			if !broken[rule.Name] {
				t.Errorf("no test breaks %s", rule.Name)
			}
		}
		servertest.ExpectClean(t, database)
	})
}

// listener records which statements each rule runs, and thereby which tables it reads.
type listener struct {
	rule  string            // that is running; empty for none
	texts map[string]string // statements of each rule
}

func (l *listener) trace(query string, _ []any) { l.texts[l.rule] += query + ";" }

// recordRules runs all rules and records their statements.
func (l *listener) recordRules(t *testing.T, d *db.DB) {
	_, err := check.Run(t.Context(), d, app.Kinds{}.Rules(), check.Report{
		Begin: func(rule string, _, _ int) { l.rule = rule }, Finding: func(check.Finding) {},
		More: func(string, int64) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	l.rule = ""
}

var writes = regexp.MustCompile(`(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)`)

// concerned returns the rules that read a table that the damage changed; no other rule can notice it. The rules of
// analytics count rows of many tables, so any damage breaks them too. They are left out unless the damage is theirs.
// The keys of customers cannot be checked while the settings of the stores cannot be read.
func (l *listener) concerned(broken string) []check.Rule {
	var tables []string
	for _, found := range writes.FindAllStringSubmatch(l.texts[""], -1) {
		tables = append(tables, found[1])
	}
	reads := regexp.MustCompile(`\b(?:` + strings.Join(tables, "|") + `)\b`)
	const sums = "analytics."
	return slices.DeleteFunc(app.Kinds{}.Rules(), func(r check.Rule) bool {
		return !reads.MatchString(l.texts[r.Name]) || r.Name == "customer.keys" && broken == "store.settings" ||
			strings.HasPrefix(r.Name, sums) && !strings.HasPrefix(broken, sums)
	})
}

// try applies the damage, runs the rules, and rolls it back.
func (c damage) try(t *testing.T, d *db.DB, statements *listener) {
	findings := map[string][]check.Finding{}
	var id string
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		clear(findings)
		delete(statements.texts, "")
		id = c.do(&hand{t, d, tx})
		_, err := check.RunIn(tx, statements.concerned(c.rule), check.Report{
			Begin:   func(string, int, int) {},
			Finding: func(f check.Finding) { findings[f.Rule] = append(findings[f.Rule], f) },
			More:    func(string, int64) {},
		})
		return errors.Join(err, servertest.ErrUndo)
	})
	if !errors.Is(err, servertest.ErrUndo) || strings.Contains(err.Error(), "\n") {
		t.Fatal(err)
	}
	want := append([]string{c.rule}, c.also...)
	slices.Sort(want)
	if strings.HasPrefix(c.rule, "store.of.") { // such a row breaks other rules, too
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

package check_test

import (
	"fmt"
	"strings"
	"testing"

	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// The findings of one rule are limited but all counted. A rule that fails to run ends the check.
func TestFindingsAreBounded(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		many := check.Fold("many", func(tx *db.Tx, found func(int64, string, string, string)) error {
			for i := range check.FindingLimit + 5 {
				found(1, fmt.Sprint("id-", i), "this", "that")
			}
			return nil
		})
		kinds := check.Rows("kinds", `SELECT 7, CAST(NULL AS VARCHAR), 1 = 1, CAST(12 AS BIGINT)`)
		equal := check.Equal("equal", `SELECT 1 AS store_id, 'a' AS id, 5 AS total`,
			`SELECT 1 AS store_id, 'a' AS id, 5 AS total UNION ALL SELECT 2, 'b', 1`)
		var lines []string
		report := check.Report{
			Begin:   func(rule string, done, of int) { lines = append(lines, fmt.Sprintf("%s %d/%d", rule, done, of)) },
			Finding: func(f check.Finding) { lines = append(lines, f.String()) },
			More:    func(rule string, n int64) { lines = append(lines, fmt.Sprintf("%s: %d more", rule, n)) },
		}
		sum, err := check.Run(t.Context(), d, []check.Rule{many, kinds, equal}, report)
		if err != nil || sum.Rules != 3 || sum.Findings != check.FindingLimit+7 {
			t.Errorf("%+v, %v", sum, err)
		}
		truth := map[string]string{"sqlite": "1", "postgres": "true"}[d.Engine()]
		want := "many: store 1, id-19: is this, should be that\nmany: 5 more\nkinds 1/3\nkinds: store 7, : is " + truth +
			", should be 12\nequal 2/3\nequal: store 2, b: is 0, should be 1"
		if text := strings.Join(lines, "\n"); !strings.HasSuffix(text, want) || len(lines) != check.FindingLimit+6 {
			t.Errorf("lines %s", text)
		}
		broken := check.Rows("broken", `SELECT nothing FROM nowhere`)
		if _, err := check.Run(t.Context(), d, []check.Rule{broken}, report); err == nil ||
			!strings.HasPrefix(err.Error(), "broken: ") {
			t.Errorf("a rule that cannot be run: %v", err)
		}
	})
}

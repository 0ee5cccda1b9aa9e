package tidy

import (
	"go/ast"
	"regexp"
	"testing"
)

func TestPlaces(t *testing.T) { report(t, placeRules(repository(t))) }

// numberedPlace matches a numbered place in SQL, such as "= $1".
var numberedPlace = regexp.MustCompile(`\b(SELECT|FROM|WHERE|AND|OR|SET|VALUES|LIMIT)\b[^$]*\$[0-9]|[<>=] ?\$[0-9]`)

// numbering lists folders that number places: the database layer, and tools that run SQL without it.
var numbering = map[string]string{
	"platform/db": "writes ? as PostgreSQL expects it",
	"lab":         "runs SQL without the database layer",
}

// placeRules finds numbered places in SQL. A place is written as ?, and a statement is built with db.NewSQL if a value
// is needed several times.
func placeRules(files []file) (violations []string) {
	for _, f := range files {
		if f.isTest() || permitted(numbering, f.folder()) {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if basic, is := n.(*ast.BasicLit); is && numberedPlace.MatchString(literal(basic)) {
				violations = append(violations, f.at(basic.Pos(), "a place in SQL is written as ?"))
			}
			return true
		})
	}
	return violations
}

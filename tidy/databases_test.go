package tidy

import (
	"go/ast"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestDatabases(t *testing.T) { report(t, databaseRules(repository(t))) }

// differs matches code that does something else on PostgreSQL: other SQL, locks, batches.
var differs = regexp.MustCompile(`\.Engine\(\)|\btx\.Lock\(|\bFOR (UPDATE|SHARE)\b|advisory|` +
	`"punchcard/platform/db/batch"`)

// oneDatabase are functions of test packages that run a test on SQLite only in make test, unless it called Both.
var oneDatabase = []string{"dbtest.Each", "dbtest.EachAt", "dbtest.EachEngine", "dbtest.EnginesOf", "authtest.Each"}

// notBoth lists folders whose code differs for PostgreSQL although their own tests do not show it.
var notBoth = map[string]string{
	"platform/db": "has tests of each database in its own folder",
	"lab":         "has clients of either database",
}

// databaseRules finds tests that make test would run on SQLite only although PostgreSQL might fail them: those with
// concurrent calls or query plans, and packages with SQL for one database, locks or batches but no test with Both.
func databaseRules(files []file) []string {
	var violations []string
	folders := map[string][]file{}
	for _, f := range files {
		folders[f.folder()] = append(folders[f.folder()], f)
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if path.Base(folder) != "dbtest" {
			violations = append(violations, databasesOf(folder, folders[folder])...)
		}
	}
	return violations
}

func databasesOf(folder string, files []file) (violations []string) {
	tests, different := testFunctions{}, ""
	both, anyOne := false, false
	for _, f := range files {
		if !f.isTest() {
			if match := differs.FindString(f.text); match != "" {
				different = f.path + ": " + strings.TrimSpace(match)
			}
			continue
		}
		both = both || strings.Contains(f.text, "dbtest.MainOnBoth(")
		anyOne = anyOne || strings.Contains(f.text, "dbtest.Both(") || strings.Contains(f.text, "range dbtest.Engines ")
		tests.add(f)
	}
	if both {
		return nil
	}
	if different != "" && !anyOne && len(tests) > 0 && !permitted(notBoth, folder) {
		violations = append(violations, different+" may differ on PostgreSQL, but no test of the package calls dbtest.Both")
	}
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		if !strings.HasPrefix(name, "Test") {
			continue
		}
		reaches := tests.reach(name)
		if reaches["one database"] && reaches["concurrent"] && !reaches["dbtest.Both"] {
			f := tests[name]
			violations = append(violations, f.at(f.declaration.Pos(),
				"%s calls concurrently or asks for a plan: it needs dbtest.Both", name))
		}
	}
	return violations
}

// testFunctions are the functions of the tests of a package by name.
type testFunctions map[string]*testFunction

type testFunction struct {
	file
	declaration *ast.FuncDecl
	uses        map[string]bool // functions by name, those of other packages after the package
}

func (t testFunctions) add(f file) {
	for _, d := range f.syntax.Decls {
		declaration, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		found := &testFunction{f, declaration, map[string]bool{}}
		ast.Inspect(declaration, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				found.uses["concurrent"] = true
			case *ast.SelectorExpr:
				if n.Sel.Name == "Go" {
					found.uses["concurrent"] = true
				}
				if of, ok := n.X.(*ast.Ident); ok {
					found.uses[of.Name+"."+n.Sel.Name] = true
				}
				found.uses[n.Sel.Name] = true // a method
			case *ast.Ident:
				found.uses[n.Name] = true
			}
			return true
		})
		if found.uses["dbtest.Plan"] {
			found.uses["concurrent"] = true
		}
		for _, one := range oneDatabase {
			if found.uses[one] {
				found.uses["one database"] = true
			}
		}
		t[declaration.Name.Name] = found
	}
}

// reach returns what a function uses by itself and through others of the package.
func (t testFunctions) reach(name string) map[string]bool {
	reached := map[string]bool{}
	left := []string{name}
	for len(left) > 0 {
		next := left[len(left)-1]
		left = left[:len(left)-1]
		if t[next] == nil {
			continue
		}
		for used := range t[next].uses {
			if !reached[used] {
				reached[used] = true
				left = append(left, used)
			}
		}
	}
	return reached
}

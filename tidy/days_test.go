package tidy

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

func TestDays(t *testing.T) { report(t, dayRules(repository(t))) }

// dayRules checks that features compute days with platform/calendar, which knows days without midnight.
func dayRules(files []file) []string {
	var violations []string
	for _, f := range files {
		if f.isTest() || top(f.path) != "loyalty" && top(f.path) != "core" || strings.HasSuffix(f.folder(), "test") {
			continue
		}
		for name, position := range uses(f, "time", []string{"Date", "ParseInLocation"}) {
			violations = append(violations, f.at(position, "uses %s; compute with the days of platform/calendar", name))
		}
		ast.Inspect(f.syntax, func(node ast.Node) bool {
			selector, is := node.(*ast.SelectorExpr)
			if is && selector.Sel.Name == "AddDate" && !f.isOtherPackage(selector.X) {
				violations = append(violations, f.at(selector.Pos(), "uses AddDate; use that of platform/calendar"))
			}
			return true
		})
	}
	slices.Sort(violations)
	return violations
}

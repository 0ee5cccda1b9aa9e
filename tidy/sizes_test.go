package tidy

import (
	"fmt"
	"go/ast"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The sizes in force. Tests may be longer files; generated code may be anything.
const (
	fileLines     = 400
	functionLines = 70
	columns       = 120 // a tab counts as one
)

// unfinished finds the marks of work left for later. They are spelt in halves, so that this file has none.
var unfinished = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b`)

// sizeRules checks sizes, and that nothing is marked as left for later.
func sizeRules(files []file) []string {
	var violations []string
	for _, f := range files {
		if f.isGenerated() {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
		if len(lines) > fileLines && !f.isTest() {
			violations = append(violations, fmt.Sprintf("%s: %d lines, more than %d: split it by noun",
				f.path, len(lines), fileLines))
		}
		for i, line := range lines {
			if width := utf8.RuneCountInString(line); width > columns {
				violations = append(violations, fmt.Sprintf("%s:%d: %d columns, more than %d",
					f.path, i+1, width, columns))
			}
			if mark := unfinished.FindString(line); mark != "" {
				violations = append(violations, fmt.Sprintf("%s:%d: %s: finish it, or leave it out",
					f.path, i+1, mark))
			}
		}
		violations = append(violations, functionSizes(f)...)
	}
	return violations
}

func functionSizes(f file) []string {
	var violations []string
	for _, declaration := range f.syntax.Decls {
		function, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction {
			continue
		}
		if lines := f.line(function.End()) - f.line(function.Pos()) + 1; lines > functionLines {
			violations = append(violations, f.at(function.Pos(), "%s has %d lines, more than %d",
				function.Name.Name, lines, functionLines))
		}
	}
	return violations
}

// pins are versions that must not move by themselves.
var pins = []struct{ library, version, reason string }{
	{"modernc.org/libc", "v1.77.1", "modernc.org/sqlite works with exactly the version it was made with"},
}

func pinRules(goMod string) []string {
	var violations []string
	for _, pin := range pins {
		found := regexp.MustCompile(`(?m)^\s*(?:require\s+)?` + regexp.QuoteMeta(pin.library) + `\s+(\S+)`).
			FindStringSubmatch(goMod)
		if found == nil || found[1] != pin.version {
			violations = append(violations, fmt.Sprintf("go.mod: want %s %s: %s", pin.library, pin.version, pin.reason))
		}
	}
	return violations
}

var versionLine = regexp.MustCompile(`(?m)^\s*(?:require\s+)?(\S+\.\S+/\S+) (v\S+)`)

// labRules wants the libraries of the product in the versions that its own go.mod names, so that lab measures the
// product that users run.
func labRules(goMod, labMod string) []string {
	versions := map[string]string{}
	for _, found := range versionLine.FindAllStringSubmatch(goMod, -1) {
		versions[found[1]] = found[2]
	}
	var violations []string
	for _, found := range versionLine.FindAllStringSubmatch(labMod, -1) {
		if version := versions[found[1]]; version != "" && version != found[2] {
			violations = append(violations, fmt.Sprintf("lab/go.mod: %s %s, but go.mod has %s", found[1], found[2], version))
		}
	}
	return violations
}

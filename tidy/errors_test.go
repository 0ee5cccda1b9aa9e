package tidy

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"punchcard/platform/fault"
	"punchcard/platform/web"
)

var update = flag.Bool("update", false, "write the generated documents")

// declaredError is a call of fault.New, or of form.Invalid, which makes errors of fields with one text.
type declaredError struct {
	file             file
	at               token.Pos
	kind, code, text string
	status           int
	page             string // link to the heading under which the text is described
	ownPage          bool   // the page is about the package of the error
}

var snakeCase = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// TestErrors holds every declared error to the rules of codes. The code of an error of a field names one meaning: it
// may stand in several packages and have several texts. Every other code is declared once.
func TestErrors(t *testing.T) {
	declared := declaredErrors(t)
	first := map[string]declaredError{}
	for _, e := range declared {
		if !snakeCase.MatchString(e.code) {
			t.Error(e.file.at(e.at, "%q is no code in snake case", e.code))
		}
		if e.kind == "Fields" {
			continue
		}
		if before, twice := first[e.code]; twice {
			t.Error(e.file.at(e.at, "%s is the code of an error in %s", e.code, before.file.path))
		}
		first[e.code] = e
	}
	for _, f := range repository(t) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if literal, is := n.(*ast.CompositeLit); is && selects(literal.Type, "fault", "Error") {
				t.Error(f.at(n.Pos(), "errors are made by fault.New, which takes a code"))
			}
			return true
		})
	}
	document(t, "docs/errors.md", errorsDocument(declared))
	document(t, "core/api/openapi/page/errors.html", errorsPage(declared))
}

// document compares a generated document with the one in the repository, or writes it.
func document(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := os.ReadFile(path); err != nil || string(written) != text {
		t.Errorf("%s is stale (%v): run go test ./tidy -run Errors -update", name, err)
	}
}

// declaredErrors finds the errors of the program, by code.
func declaredErrors(t *testing.T) []declaredError {
	t.Helper()
	kinds := map[string]fault.Kind{}
	var all []declaredError
	for _, f := range repository(t) {
		if f.path == "platform/fault/fault.go" {
			kinds = errorKinds(f)
		}
	}
	for _, f := range repository(t) {
		if f.isTest() || f.folder() == "tidy" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			e := declaredError{file: f, at: n.Pos()}
			switch {
			case len(call.Args) == 1 && calls(f, call, "form", "Invalid"):
				e.kind, e.code, e.text = "Fields", text(call.Args[0]), "This value is not valid."
			case len(call.Args) == 3 && calls(f, call, "fault", "New"):
				e.kind, e.code, e.text = last(call.Args[0]), text(call.Args[1]), text(call.Args[2])
			default:
				return true
			}
			if kind, known := kinds[e.kind]; known { // not so in the helpers that pass on what they are given
				e.status = web.StatusOf(kind)
				all = append(all, e)
			}
			return true
		})
	}
	slices.SortStableFunc(all, func(a, b declaredError) int {
		return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.text, b.text))
	})
	findPages(t, all)
	return all
}

// errorKinds reads the constants of type Kind.
func errorKinds(f file) map[string]fault.Kind {
	kinds := map[string]fault.Kind{}
	for _, declaration := range f.syntax.Decls {
		group, is := declaration.(*ast.GenDecl)
		if !is || group.Tok != token.CONST {
			continue
		}
		for i, spec := range group.Specs {
			kinds[spec.(*ast.ValueSpec).Names[0].Name] = fault.Kind(i)
		}
	}
	return kinds
}

// calls reports whether the call is of a function of the package, seen from the file.
func calls(f file, call *ast.CallExpr, pkg, name string) bool {
	own, is := call.Fun.(*ast.Ident)
	return selects(call.Fun, pkg, name) || is && own.Name == name && f.syntax.Name.Name == pkg
}

func selects(n ast.Expr, pkg, name string) bool {
	selector, is := n.(*ast.SelectorExpr)
	if !is || selector.Sel.Name != name {
		return false
	}
	of, is := selector.X.(*ast.Ident)
	return is && of.Name == pkg
}

// last returns the last word of a qualified name.
func last(n ast.Expr) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return n.Sel.Name
	case *ast.Ident:
		return n.Name
	}
	return ""
}

// text returns the value of a string literal, or of several that are added.
func text(n ast.Expr) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		value, _ := strconv.Unquote(n.Value)
		return value
	case *ast.BinaryExpr:
		return text(n.X) + text(n.Y)
	}
	return ""
}

var verb = regexp.MustCompile(`%[sdq]`)

// shown is the text of an error with an ellipsis for each value in it.
func (e *declaredError) shown() string { return verb.ReplaceAllString(e.text, "…") }

// findPages finds the heading of docs/behaviour under which each text stands; of several pages it takes the one whose
// line "Code:" names the package.
func findPages(t *testing.T, all []declaredError) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "docs/behaviour/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	patterns := make([]*regexp.Regexp, len(all))
	for i := range all {
		patterns[i] = all[i].pattern()
	}
	for _, name := range names {
		page, own, heading := filepath.Base(name), "", ""
		for line := range strings.SplitSeq(readFile(t, "docs/behaviour/"+page), "\n") {
			if strings.HasPrefix(line, "Code:") {
				own = line
			}
			if strings.HasPrefix(line, "#") {
				heading = strings.TrimLeft(line, "# ")
			}
			for i := range all {
				e := &all[i]
				isOwn := strings.Contains(own, "`"+e.file.folder()+"`")
				if e.text != "" && patterns[i].MatchString(line) && (e.page == "" || isOwn && !e.ownPage) {
					e.page = "[" + heading + "](behaviour/" + page + "#" + slug(heading) + ")"
					e.ownPage = isOwn
				}
			}
		}
	}
	for i := range all {
		if all[i].text == "" {
			all[i].page = "[Errors](behaviour/requests.md#errors)"
		}
	}
}

func (e *declaredError) pattern() *regexp.Regexp {
	parts := verb.Split(e.text, -1)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile("`" + strings.Join(parts, "[^`]+") + "`|\"" + strings.Join(parts, `[^"]+`) + `"`)
}

// byCode groups errors that share their code.
func byCode(all []declaredError, fields bool) (codes []string, groups map[string][]declaredError) {
	groups = map[string][]declaredError{}
	for _, e := range all {
		known := slices.ContainsFunc(groups[e.code], func(o declaredError) bool { return o.text == e.text })
		if !known && fields == (e.kind == "Fields" && e.code != "invalid_fields") {
			groups[e.code] = append(groups[e.code], e)
		}
	}
	return slices.Sorted(maps.Keys(groups)), groups
}

const errorsIntroduction = `Every error has a code that programs can rely on; texts may change. A client that sends
` + "`Accept: application/problem+json`" + ` gets the code in each error:
[Problem details](behaviour/requests.md#problem-details). `

func errorsDocument(all []declaredError) string {
	var b strings.Builder
	b.WriteString("# Errors\n\n" + errorsIntroduction + "Written by `go test ./tidy -run Errors -update` from the\n" +
		`declarations of the errors. An ellipsis stands for a value.

## Errors of requests

An error without a text of its own has the reason phrase of its status.

| code | status | text | described in |
|---|---|---|---|
`)
	codes, groups := byCode(all, false)
	for _, code := range codes {
		e := groups[code][0]
		fmt.Fprintf(&b, "| `%s` | %d | %s | %s |\n", code, e.status, e.shown(), e.page)
	}
	b.WriteString(`
## Errors of fields

The code of the whole response is ` + "`invalid_fields`" + `. The code of a field says more than its text.

| code | text | described in |
|---|---|---|
`)
	codes, groups = byCode(all, true)
	for _, code := range codes {
		var texts, pages []string
		for _, e := range groups[code] {
			texts = append(texts, e.shown())
			if e.page != "" && !slices.Contains(pages, e.page) {
				pages = append(pages, e.page)
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", code, strings.Join(texts, "<br>"), strings.Join(pages, ", "))
	}
	return b.String()
}

// errorsPage is the page that the type of an error refers to.
func errorsPage(all []declaredError) string {
	var b strings.Builder
	b.WriteString(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Punchcard API: errors</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<h1>Errors</h1>
<p>The codes of errors, and their texts. <a href="/docs">All endpoints</a></p>
`)
	for _, part := range []struct {
		title  string
		fields bool
	}{{"Errors of requests", false}, {"Errors of fields", true}} {
		fmt.Fprintf(&b, "<h2>%s</h2>\n<dl>\n", part.title)
		codes, groups := byCode(all, part.fields)
		for _, code := range codes {
			id := ` id="` + code + `"`
			if requests, _ := byCode(all, false); part.fields && slices.Contains(requests, code) {
				id = ""
			}
			fmt.Fprintf(&b, "<dt%s>%s</dt><dd>", id, code)
			for i, e := range groups[code] {
				if i > 0 {
					b.WriteString("<br>")
				}
				if !part.fields {
					fmt.Fprintf(&b, "%d ", e.status)
				}
				b.WriteString(html.EscapeString(e.shown()))
			}
			b.WriteString("</dd>\n")
		}
		b.WriteString("</dl>\n")
	}
	b.WriteString("</body>\n</html>\n")
	return b.String()
}

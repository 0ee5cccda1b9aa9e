package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// docs/extending.md names all inputs and operations.
func TestInputsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || !f.Name.IsExported() || strings.HasSuffix(name, "_test.go") || !makesOperation(f) {
				continue
			}
			if count++; !strings.Contains(string(page), f.Name.Name+"`") {
				t.Errorf("docs/extending.md does not name %s", f.Name.Name)
			}
		}
	}
	if count < 25 {
		t.Errorf("only %d inputs and operations were found", count)
	}
}

// makesOperation reports whether a function returns an input or an operation.
func makesOperation(f *ast.FuncDecl) bool {
	if f.Type.Results.NumFields() != 1 {
		return false
	}
	result := f.Type.Results.List[0].Type
	if generic, is := result.(*ast.IndexExpr); is {
		result = generic.X
	}
	named, is := result.(*ast.Ident)
	return is && (named.Name == "Input" || named.Name == "Operation")
}

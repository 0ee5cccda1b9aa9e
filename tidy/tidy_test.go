package tidy

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// root is the repository's root as seen from this package.
const root = ".."

// module is the prefix of every import of our own.
const module = "punchcard/"

func TestImports(t *testing.T)      { report(t, importRules(repository(t))) }
func TestSideEffects(t *testing.T)  { report(t, sideEffectRules(repository(t))) }
func TestPackageNames(t *testing.T) { report(t, nameRules(repository(t))) }
func TestSizes(t *testing.T)        { report(t, sizeRules(repository(t))) }
func TestComments(t *testing.T)     { report(t, commentRules(repository(t))) }
func TestSentences(t *testing.T)    { report(t, sentenceRules(repository(t))) }
func TestTables(t *testing.T)       { report(t, tableRules(repository(t), migrations(t))) }
func TestMigrations(t *testing.T)   { report(t, migrationRules(migrations(t))) }
func TestClock(t *testing.T)        { report(t, clockRules(repository(t))) }
func TestHashing(t *testing.T)      { report(t, hashingRules(repository(t))) }
func TestCheapHashes(t *testing.T)  { report(t, cheapHashRules(repository(t))) }
func TestPins(t *testing.T)         { report(t, pinRules(readFile(t, "go.mod"))) }
func TestLab(t *testing.T)          { report(t, labRules(readFile(t, "go.mod"), readFile(t, "lab/go.mod"))) }

func report(t *testing.T, violations []string) {
	t.Helper()
	for _, violation := range violations {
		t.Error(violation)
	}
}

// file is one Go file.
type file struct {
	path   string // from the root, with slashes
	text   string
	syntax *ast.File
	set    *token.FileSet
}

func (f file) folder() string    { return path.Dir(f.path) }
func (f file) isTest() bool      { return strings.HasSuffix(f.path, "_test.go") }
func (f file) isGenerated() bool { return strings.HasSuffix(f.path, ".gen.go") }

// at returns the message about a broken rule, with its place.
func (f file) at(position token.Pos, format string, values ...any) string {
	return fmt.Sprintf("%s:%d: %s", f.path, f.line(position), fmt.Sprintf(format, values...))
}

func (f file) line(position token.Pos) int { return f.set.Position(position).Line }

// imports lists the paths that the file imports, with where.
func (f file) imports() map[string]token.Pos {
	paths := map[string]token.Pos{}
	for _, spec := range f.syntax.Imports {
		paths[strings.Trim(spec.Path.Value, `"`)] = spec.Pos()
	}
	return paths
}

// top is the first folder of a path, and the whole path where it has none.
func top(folder string) string {
	first, _, _ := strings.Cut(folder, "/")
	return first
}

// unit returns the unit of a folder in the rules about imports and tables: the longest entry of featureOrder that holds
// it, a part of the platform, or the first folder of its path.
func unit(folder string) string {
	longest := ""
	for _, feature := range featureOrder {
		if within(folder, feature) && len(feature) > len(longest) {
			longest = feature
		}
	}
	switch {
	case longest != "":
		return longest
	case isPlatform(folder):
		return "platform/" + platformPart(folder)
	}
	return top(folder)
}

// within reports whether folder is one of the parents, or below one.
func within(folder string, parents ...string) bool {
	for _, parent := range parents {
		if folder == parent || strings.HasPrefix(folder, parent+"/") {
			return true
		}
	}
	return false
}

var readRepository = sync.OnceValues(func() ([]file, error) {
	var files []file
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if entry.IsDir() {
			return skipFolder(relative)
		}
		if !strings.HasSuffix(relative, ".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parsed, err := parse(relative, string(text))
		files = append(files, parsed)
		return err
	})
	return files, err
})

// skipFolder leaves out what is not source: hidden folders, what is built and what is stored.
func skipFolder(relative string) error {
	hidden := relative != "." && strings.HasPrefix(path.Base(relative), ".")
	if hidden || path.Base(relative) == "testdata" || within(relative, "bin", "data") {
		return fs.SkipDir
	}
	return nil
}

func parse(name, text string) (file, error) {
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return file{path: name, text: text, syntax: syntax, set: set}, err
}

func repository(t *testing.T) []file {
	t.Helper()
	files, err := readRepository()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// migrations returns the text of each migration by its path.
func migrations(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "migrations", "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, name := range names {
		relative := path.Join("migrations", filepath.Base(name))
		texts[relative] = readFile(t, relative)
	}
	return texts
}

func readFile(t *testing.T, relative string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(relative)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

package tidy

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// bannedProse are words that comments, documents, logs and error texts avoid, with what to write instead. They come
// from an earlier private vocabulary of this code base.
var bannedProse = map[string]string{
	"told":    "say who sends, returns, reports or logs what",
	"heard":   "use received, recorded or reported",
	"whoever": "name the caller, the client or the customer",
	"heed":    "use honour or apply",
	"heeds":   "use honours or applies",
	"heeded":  "use honoured or applied",
	"lane":    "use shard, counter or queue",
	"lanes":   "use shards, counters or queues",
	"he":      "use the customer, or they",
	"his":     "use the customer's, or their",
	"him":     "use the customer, or them",
	"himself": "use themselves",
}

// bannedNames are identifiers and file names of the same vocabulary, with the term of the field.
var bannedNames = map[string]string{
	"once":    "idempotent",
	"kept":    "stored",
	"later":   "deferred",
	"void":    "revoked",
	"figures": "metrics, totals or counts",
	"tries":   "attempts",
	"owns":    "a noun for the relation",
	"asks":    "a verb such as requires or requests",
	"told":    "a noun for what is sent or returned",
	"heed":    "honour",
	"lane":    "shard or counter",
}

// bareNames are names of functions that dozens of packages would share, and words that are no names by themselves. A
// function outside of a type says what it acts on: readBuyers, not read. Methods say it by their type.
var bareNames = []string{
	"read", "list", "get", "show", "find", "page", "one", "all", "count", "insert", "update", "remove", "viewOf",
	"of", "at", "in", "within", "without", "known", "found", "taken", "shown", "offered",
}

// notYetRewritten lists the folders whose prose still waits to be rewritten. The test fails for a folder that no
// longer needs its entry.
var notYetRewritten = map[string]bool{}

var word = regexp.MustCompile(`[A-Za-z]+`)

// prose is one text that people read, with the place where it begins.
type prose struct {
	file string
	line int
	text string
}

func TestWords(t *testing.T) {
	found := map[string][]string{} // violations by folder
	texts := slices.Concat(goProse(repository(t)), testMessages(repository(t)), documentProse(t), webProse(t))
	for _, p := range texts {
		for i, line := range strings.Split(p.text, "\n") {
			for _, w := range word.FindAllString(line, -1) {
				if advice := bannedProse[strings.ToLower(w)]; advice != "" && w != "HE" {
					folder := filepath.ToSlash(filepath.Dir(p.file))
					found[folder] = append(found[folder],
						fmt.Sprintf("%s:%d: %q is not plain English here: %s", p.file, p.line+i, w, advice))
				}
			}
		}
	}
	for _, f := range repository(t) {
		found[f.folder()] = append(found[f.folder()], bannedIdentifiers(f)...)
	}
	for _, folder := range slices.Sorted(maps.Keys(found)) {
		if !notYetRewritten[folder] {
			report(t, found[folder])
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(notYetRewritten)) {
		if len(found[folder]) == 0 {
			t.Errorf("notYetRewritten lists %s, which is plain English already", folder)
		}
	}
}

// goProse returns the comments of all Go files, and their string literals that are sentences rather than SQL.
func goProse(files []file) []prose {
	var texts []prose
	for _, f := range files {
		if f.folder() == "tidy" {
			continue // lists the words
		}
		for _, group := range f.syntax.Comments {
			for _, comment := range group.List {
				texts = append(texts, prose{f.path, f.line(comment.Pos()), comment.Text})
			}
		}
		if !f.isTest() {
			texts = append(texts, sentences(f)...)
		}
	}
	return texts
}

// testMessages returns the string literals of test files that are sentences: messages, names of cases, and data.
func testMessages(files []file) []prose {
	var texts []prose
	for _, f := range files {
		if f.isTest() && f.folder() != "tidy" {
			texts = append(texts, sentences(f)...)
		}
	}
	return texts
}

// sentences returns the string literals of a file that hold more than one word.
func sentences(f file) []prose {
	var texts []prose
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		basic, isBasic := node.(*ast.BasicLit)
		if isBasic && basic.Kind == token.STRING && strings.Contains(basic.Value, " ") {
			texts = append(texts, prose{f.path, f.line(basic.Pos()), basic.Value})
		}
		return true
	})
	return texts
}

// scriptComment matches a comment of TypeScript, JavaScript or CSS that is not part of an address such as https://.
var scriptComment = regexp.MustCompile(`(?s:/\*.*?\*/)|(?m:(?:^|[^:"'` + "`" + `])//.*$)`)

// webProse returns the comments of the web apps and of the scripts of their tests, and the English texts they show.
func webProse(t *testing.T) []prose {
	t.Helper()
	var texts []prose
	web := filepath.Join(root, "web")
	err := filepath.WalkDir(web, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{"dist", "vendor", "node_modules", "axe-core"}, entry.Name()) {
			return fs.SkipDir
		}
		english := filepath.Base(name) == "en.json"
		if !english && !slices.Contains([]string{".ts", ".tsx", ".js", ".mjs", ".css"}, filepath.Ext(name)) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		if english {
			texts = append(texts, prose{relative, 1, eachLine(string(data), onlyValue)})
			return nil
		}
		for _, place := range scriptComment.FindAllIndex(data, -1) {
			line := 1 + bytes.Count(data[:place[0]], []byte("\n"))
			texts = append(texts, prose{relative, line, string(data[place[0]:place[1]])})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// onlyValue returns the text of a line of a JSON file, without its key.
func onlyValue(line string) string {
	_, value, _ := strings.Cut(line, `": `)
	return value
}

// documentProse returns the Markdown files without their code, the comments of the schema, and the headings and
// comments of the transcripts.
func documentProse(t *testing.T) []prose {
	t.Helper()
	var texts []prose
	for pattern, keep := range map[string]func(string) string{
		"*.md":                   withoutCode,
		"docs/*.md":              withoutCode,
		"docs/behaviour/*.md":    withoutCode,
		"docs/security/*.md":     withoutCode,
		"migrations/*.sql":       onlySQLComments,
		"docs/transcripts/*.txt": onlyHeadings,
	} {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			relative, err := filepath.Rel(root, name)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, prose{filepath.ToSlash(relative), 1, keep(string(text))})
		}
	}
	return texts
}

var inlineCode = regexp.MustCompile("`[^`\n]*`")

// withoutCode blanks fenced blocks and inline code, and keeps the number of lines.
func withoutCode(text string) string {
	fenced := false
	return eachLine(text, func(line string) string {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			return ""
		}
		if fenced {
			return ""
		}
		return inlineCode.ReplaceAllString(line, "")
	})
}

func onlySQLComments(text string) string {
	return eachLine(text, func(line string) string {
		if _, comment, found := strings.Cut(line, "--"); found {
			return comment
		}
		return ""
	})
}

// onlyHeadings keeps the prose of a transcript: its first lines, up to the first heading, headings and comments.
func onlyHeadings(text string) string {
	beginning := true
	return eachLine(text, func(line string) string {
		heading := strings.HasPrefix(line, "#")
		beginning = beginning && !heading
		if heading || beginning {
			return line
		}
		return ""
	})
}

func eachLine(text string, change func(line string) string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = change(line)
	}
	return strings.Join(lines, "\n")
}

// bannedIdentifiers finds declarations with a banned name, and a file that is named so.
func bannedIdentifiers(f file) []string {
	var violations []string
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(f.path), ".go"), "_test")
	if advice := bannedNames[base]; advice != "" {
		violations = append(violations, fmt.Sprintf("%s: the file name says little: write %s", f.path, advice))
	}
	check := func(name *ast.Ident) {
		lower := strings.ToLower(name.Name)
		if advice := cmp.Or(bannedNames[lower], bannedProse[lower]); advice != "" {
			violations = append(violations, f.at(name.Pos(), "the name %s: write %s", name.Name, advice))
		}
	}
	ast.Inspect(f.syntax, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			check(node.Name)
			isBare := node.Recv == nil && slices.Contains(bareNames, node.Name.Name)
			if isBare && !f.isTest() {
				violations = append(violations, f.at(node.Pos(), "the name %s lacks a noun", node.Name.Name))
			}
		case *ast.TypeSpec:
			check(node.Name)
		case *ast.ValueSpec:
			for _, name := range node.Names {
				check(name)
			}
		case *ast.Field:
			for _, name := range node.Names {
				check(name)
			}
		case *ast.AssignStmt:
			for _, left := range node.Lhs {
				if name, isName := left.(*ast.Ident); isName && node.Tok == token.DEFINE {
					check(name)
				}
			}
		}
		return true
	})
	return violations
}

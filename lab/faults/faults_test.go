package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"punchcard/app/apptest"
)

// Each fault applies to the present source, which stays source.
func TestFaultsApply(t *testing.T) {
	root, err := apptest.Root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range faults {
		names[f.name] = true
		scratch := t.TempDir()
		text, err := os.ReadFile(filepath.Join(root, f.file))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(scratch, f.file)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.plant(scratch); err != nil {
			t.Errorf("%s: %v", f.name, err)
			continue
		}
		changed, err := os.ReadFile(name)
		if err != nil || string(changed) == string(text) {
			t.Errorf("%s changes nothing: %v", f.name, err)
		}
		if strings.HasSuffix(name, ".go") {
			if _, err := parser.ParseFile(token.NewFileSet(), name, changed, parser.SkipObjectResolution); err != nil {
				t.Errorf("%s: %v", f.name, err)
			}
		}
	}
	const want = 30
	if len(names) != want || len(faults) != want {
		t.Errorf("%d faults with %d names, want %d", len(faults), len(names), want)
	}
	if err := faults[0].plant(t.TempDir()); err == nil {
		t.Error("a fault applies to a file that is missing")
	}
}

// The nearest packages come first, those with servers and browsers last, and packages without tests not at all.
func TestOrderOfPackages(t *testing.T) {
	p := &packages{tested: map[string]bool{}, importers: map[string][]string{}}
	for _, one := range []listed{
		{ImportPath: "punchcard/platform/db", TestGoFiles: []string{"a_test.go"}},
		{ImportPath: "punchcard/loyalty/pos", Imports: []string{"punchcard/platform/db", "fmt"},
			TestGoFiles: []string{"a_test.go"}},
		{ImportPath: "punchcard/loyalty/shop", Imports: []string{"punchcard/loyalty/pos"}},
		{ImportPath: "punchcard/loyalty/till", Imports: []string{"punchcard/loyalty/shop"},
			XTestGoFiles: []string{"a_test.go"}, XTestImports: []string{"punchcard/app", "punchcard/loyalty/till"}},
		{ImportPath: "punchcard/app", Imports: []string{"punchcard/loyalty/pos", "punchcard/web"},
			TestGoFiles: []string{"a_test.go"}},
		{ImportPath: "punchcard/lab/soak", Imports: []string{"punchcard/platform/db"}, TestGoFiles: []string{"a_test.go"}},
		{ImportPath: "punchcard/web", TestGoFiles: []string{"a_test.go"}},
		{ImportPath: "punchcard/web/bundle", TestGoFiles: []string{"a_test.go"}},
	} {
		p.add(one)
	}
	for file, want := range map[string]string{
		"platform/db/sub/a.go":   "[[./platform/db] [./loyalty/pos] [./loyalty/till] [./app] [./lab/soak]]",
		"loyalty/shop/a.go":      "[[./loyalty/till]]",
		"web/till/queue.ts":      "[[./web/bundle ./web] [./loyalty/till] [./app]]",
		"web/bundle/bundle.go":   "[[./web/bundle]]",
		"nowhere/of/ours/README": "[]",
	} {
		if got := fmt.Sprint(p.around(file)); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// A run continues where another one of the same commit was stopped.
func TestResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "faults.jsonl")
	r, err := readResults(file, "now")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.leftBy("test", faults); err == nil {
		t.Error("all left by a mode that never ran are tested")
	}
	for i, f := range faults {
		one := result{Commit: "now", Mode: "test", Fault: f.name, Tests: []string{"TestIt"}}
		if i == 3 {
			one.Tests = nil
		}
		if err := r.add(one); err != nil {
			t.Fatal(err)
		}
	}
	if r, err = readResults(file, "now"); err != nil {
		t.Fatal(err)
	}
	if _, known := r.of("test", faults[0].name); !known {
		t.Error("a result is forgotten")
	}
	if _, known := r.of("quick", faults[0].name); known {
		t.Error("a result counts for another mode")
	}
	left, err := r.leftBy("test", faults)
	if err != nil || len(left) != 1 || left[0].name != faults[3].name {
		t.Errorf("left are %v, %v", left, err)
	}
	var out strings.Builder
	if err := r.print(&out, "test", true); err != nil || !strings.Contains(out.String(), "test finds 29 of 30 faults") {
		t.Errorf("%v: %s", err, &out)
	}
	if err := r.print(&out, "all", true); err == nil {
		t.Error("29 faults are enough for everything")
	}
	if other, err := readResults(file, "later"); err != nil || len(other.all) > 0 {
		t.Errorf("results of another commit count: %v, %v", other, err)
	}
}

func TestFailures(t *testing.T) {
	for output, want := range map[string][]string{
		"--- FAIL: TestB (0.1s)\n    --- FAIL: TestB/a (0.0s)\n--- FAIL: TestA (0.1s)\nFAIL\nFAIL\tpunchcard/api\t0.2s\n": {
			"TestA", "TestB"},
		"ok  \tpunchcard/api\t0.2s\nFAIL\tpunchcard/app\t0.2s\n": {"punchcard/app"},
		"FAIL\tpunchcard/app [build failed]\n":                   nil,
		"ok  \tpunchcard/api\t0.2s\n":                            nil,
	} {
		if got := failures(output); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// resultsOf returns results that tests of packages have written.
func resultsOf(t *testing.T, processor map[string]float64) *results {
	t.Helper()
	r, err := newResults(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.remove)
	t.Setenv(resultsVariable, r.file)
	for name, took := range processor {
		processor := time.Duration(took * float64(time.Second))
		if err := addResult(filepath.Join(r.root, name), processor, time.Second); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// Packages are listed by processor time, and one that exceeds its budget on this machine is named with its second run.
func TestPackagesOverTheirBudgets(t *testing.T) {
	allowed := budgets{{"test", "app"}: 100, {"all", "app"}: 300}
	took, err := resultsOf(t, map[string]float64{"app": 99, "loyalty/pos": smallBudget + 1, "platform/web": 1}).read()
	if err != nil {
		t.Fatal(err)
	}
	for unit, want := range map[float64]string{1: "loyalty/pos", 2: "", 0.5: "app, loyalty/pos"} {
		if got := strings.Join(allowed.over("test", took, unit), ", "); got != want {
			t.Errorf("on a machine of %v: %q, want %q", unit, got, want)
		}
	}
	var out strings.Builder
	allowed.print(&out, "test", took, map[string]result{"loyalty/pos": {processor: 4}}, 1)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || !strings.HasSuffix(lines[1], "  app") ||
		!strings.HasSuffix(lines[2], "loyalty/pos  over its budget; again, alone: 4.0 s") {
		t.Errorf("printed:\n%s", &out)
	}
}

// The time of the go commands that is not of tests went into compiling and linking.
func TestSum(t *testing.T) {
	r := resultsOf(t, map[string]float64{"app": 60, "api": 5})
	took, err := r.read()
	if err != nil {
		t.Fatal(err)
	}
	r.commands = 100 * time.Second
	var out strings.Builder
	r.printSum(&out, took, 10*time.Second, 1, time.Minute)
	if want := "110.0 s of processor in 60 s: tests 65.0 s, compiling and linking 35.0 s, shared PostgreSQL 10.0 s\n" +
		"2 packages;"; !strings.Contains(out.String(), want) {
		t.Errorf("printed %q, want %q", &out, want)
	}
}

// A package that ran as part of a pattern, in another module or with the race detector runs again in the same way.
func TestBatchOfOnePackage(t *testing.T) {
	commands := [2][]batch{
		{{packages: []string{"./app", "./tidy"}}, {folder: "lab", packages: []string{"./..."}}},
		{
			{race: true, packages: []string{"./loyalty/pos"}},
			{name: " (race)", race: true, packages: []string{"./app/..."}},
		},
	}
	for name, want := range map[string]batch{
		"app": {packages: []string{"./app"}}, "loyalty/pos": {race: true, packages: []string{"./loyalty/pos"}},
		"lab/soak":   {folder: "lab", packages: []string{"./soak"}},
		"app (race)": {name: " (race)", race: true, packages: []string{"./app"}},
	} {
		got := batchOf(commands, name)
		if got.name != want.name || got.race != want.race || got.folder != want.folder ||
			!slices.Equal(got.packages, want.packages) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// What is measured becomes the budgets of its mode. Small packages share one budget.
func TestUpdate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(filepath.Dir(budgetFile), 0o700); err != nil {
		t.Fatal(err)
	}
	b := budgets{{"test", "gone"}: 70, {"all", "app"}: 300}
	took := []result{{name: "app", processor: 200}, {name: "tidy", processor: 16}}
	if err := b.update("test", took, 2); err != nil {
		t.Fatal(err)
	}
	got, err := readBudgets()
	if err != nil {
		t.Fatal(err)
	}
	if want := (budgets{{"test", "app"}: 120, {"all", "app"}: 300}); !maps.Equal(got, want) {
		t.Errorf("budgets %v, want %v", got, want)
	}
}

func TestParseBudgets(t *testing.T) {
	for text, want := range map[string]string{
		"test app 1": "1 fields", "test\tapp\tmany": "invalid syntax", "# a comment\n\ntest\tapp\t7\n": "",
	} {
		b, err := parseBudgets(text)
		if want == "" {
			if err != nil || b.of("test", "app") != 7 || b.of("all", "app") != smallBudget {
				t.Errorf("%q: %v, %v", text, b, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

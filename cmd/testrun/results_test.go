package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Packages are listed by processor time, and one that exceeds its budget on this machine is named.
func TestPackagesOverTheirBudgets(t *testing.T) {
	r, err := newResults()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.remove)
	t.Setenv(resultsVariable, r.file)
	for name, took := range map[string]float64{"app": budgets["app"] - 1, "loyalty/pos": budget + 1, "platform/web": 1} {
		err := addResult(filepath.Join(r.root, name), time.Duration(took*float64(time.Second)), time.Second)
		if err != nil {
			t.Fatal(err)
		}
	}
	for unit, want := range map[float64]string{1: "loyalty/pos", 2: "", 0.5: "app, loyalty/pos"} {
		var out strings.Builder
		over, err := r.print(&out, unit, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var named []string
		for line := range strings.Lines(out.String()) {
			if name, found := strings.CutSuffix(strings.TrimSpace(line), "  over its budget"); found {
				named = append(named, name[strings.LastIndex(name, " ")+1:])
			}
		}
		if got := strings.Join(named, ", "); got != want || over != (want != "") {
			t.Errorf("on a machine of %v: %q, want %q:\n%s", unit, got, want, &out)
		}
	}
}

// Packages that other commands test are left out.
func TestList(t *testing.T) {
	t.Chdir("../..")
	left, err := listTests(t.Context(), "./...", raced)
	if err != nil {
		t.Fatal(err)
	}
	text := " " + strings.Join(left, " ") + " "
	for name, want := range map[string]bool{
		"./tidy": true, "./app/demo": true, "./cmd/punchcard": true, "./web/bundle": true, "./app": false,
		"./web/tests": false, "./loyalty/pos": false, "./api": false, "./platform/web": false,
	} {
		if got := strings.Contains(text, " "+name+" "); got != want {
			t.Errorf("%s is listed: %v", name, got)
		}
	}
}

// Of the packages on the command line, each batch tests its own.
func TestLimit(t *testing.T) {
	paths := []string{"./api", "./loyalty/pos", "./lab/soak", "./app", "./lab/drill/power"}
	for _, c := range []struct {
		batch batch
		want  string
	}{
		{batch{packages: []string{"./app", "./tidy", "./web/tests"}}, "./app"},
		{batch{packages: raced}, "./api ./loyalty/pos"},
		{lab, "./soak ./drill/power"},
		{raceOnce, "./app"},
		{batch{packages: []string{"./tidy"}}, ""},
	} {
		c.batch.limit(paths)
		if got := strings.Join(c.batch.packages, " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	all := lab
	if all.limit(nil); len(all.packages) != 1 {
		t.Errorf("without packages %q are left", all.packages)
	}
}

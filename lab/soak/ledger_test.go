package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The ledger adds up over runs.
func TestLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	for seed, kills := range []int{3, 4} {
		all := []totals{
			{engine: "sqlite", rounds: 1, strikes: map[string]int{"SIGKILL": kills, "paused": 1}, counts: counts{verified: 10}},
			{engine: "postgres", rounds: 1, strikes: map[string]int{"database killed": 1}, counts: counts{verified: 5}},
			{engine: "interrupted"},
		}
		if err := appendRuns(path, "abc", uint64(seed), all); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := readLedger(path)
	if err != nil || len(entries) != 4 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	var out strings.Builder
	if err := printTotals(&out, entries); err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{
		"ledger, postgres: 2 kills, 10 acknowledged writes, 0 findings in 2 rounds",
		"ledger, sqlite: 7 kills, 20 acknowledged writes", "ledger, total: 9 kills, 30 acknowledged writes",
		"7 SIGKILL, 2 database killed, 2 paused",
	} {
		if !strings.Contains(out.String(), wanted) {
			t.Errorf("no %q in %s", wanted, &out)
		}
	}
}

// A ledger line names the commit, and whether other files than the ledger had changed.
func TestCommitOf(t *testing.T) {
	folder := t.TempDir()
	if got := commitOf(t.Context(), folder); got != "unknown" {
		t.Errorf("outside a repository: %q", got)
	}
	git := func(arguments ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), "git", arguments...)
		command.Dir = folder
		if output, err := command.CombinedOutput(); err != nil {
			t.Skipf("git: %v: %s", err, output)
		}
	}
	git("init", "-q")
	git("-c", "user.name=Ida", "-c", "user.email=ida@example.org", "commit", "-q", "--allow-empty", "-m", "one")
	commit := commitOf(t.Context(), folder)
	if len(commit) != 12 {
		t.Errorf("%q", commit)
	}
	for _, c := range []struct{ file, want string }{
		{"lab/soak/ledger.jsonl", commit}, {"main.go", commit + "+"},
	} {
		path := filepath.Join(folder, c.file)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{}"), 0o600))
		if err != nil {
			t.Fatal(err)
		}
		if got := commitOf(t.Context(), folder); got != c.want {
			t.Errorf("with %s: %q, want %q", c.file, got, c.want)
		}
	}
}

// The ledger that is committed can be read, and every finding in it is explained.
func TestCommittedLedger(t *testing.T) {
	entries, err := readLedger("ledger.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range entries {
		if one.Seed == 0 || one.Commit == "" || one.Rounds == 0 || one.Findings != 0 && one.Note == "" {
			t.Errorf("%+v", one)
		}
	}
}

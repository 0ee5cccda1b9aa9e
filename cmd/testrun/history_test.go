package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A commit may lower a budget. One that raises a budget changes nothing else, and its message says why.
func TestBudgetsRiseWithAReason(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git was not found: the history of the budgets is not checked")
	}
	shallow, err := git(root, "rev-parse", "--is-shallow-repository")
	if err != nil || shallow != "false" {
		t.Skipf("this is no clone with its history (%q, %v): the budgets' is not checked", shallow, err)
	}
	violations, err := raisedSilently(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, violation := range violations {
		t.Error(violation)
	}
}

// raisedSilently lists the commits of a repository that raise a budget beside other changes or without a reason.
func raisedSilently(root string) (violations []string, err error) {
	commits, err := git(root, "log", "--no-merges", "--format=%H", "--", budgetFile)
	if err != nil {
		return nil, err
	}
	for commit := range strings.FieldsSeq(commits) {
		before, err := git(root, "show", commit+"^:"+budgetFile)
		if err != nil {
			continue // it created the file
		}
		after, err := git(root, "show", commit+":"+budgetFile)
		if err != nil {
			continue // it removed the file
		}
		raised, err := raises(before, after)
		if err != nil {
			return nil, fmt.Errorf("commit %s: %w", commit, err)
		}
		if len(raised) == 0 {
			continue
		}
		files, filesErr := git(root, "show", "--format=", "--name-only", commit)
		body, bodyErr := git(root, "show", "--no-patch", "--format=%b", commit)
		if filesErr != nil || bodyErr != nil || files != budgetFile || body == "" {
			violations = append(violations, fmt.Sprintf("commit %.10s raises the budgets of %s: it may change nothing "+
				"else, and needs the reason in its message", commit, strings.Join(raised, ", ")))
		}
	}
	return violations, nil
}

// raises lists the packages with larger budgets after a change. Those that were not listed had smallBudget.
func raises(before, after string) (names []string, err error) {
	was, err := parseBudgets(before)
	if err != nil {
		return nil, err
	}
	is, err := parseBudgets(after)
	if err != nil {
		return nil, err
	}
	for key := range is {
		if is[key] > was.of(key[0], key[1]) {
			names = append(names, key[1])
		}
	}
	return names, nil
}

// git runs a git command in a folder and returns its output without the white space around it.
func git(folder string, arguments ...string) (string, error) {
	command := exec.Command("git", arguments...)
	command.Dir = folder
	output, err := command.Output()
	return strings.TrimSpace(string(output)), err
}

func TestRaisedSilently(t *testing.T) {
	root := t.TempDir()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	do := func(arguments ...string) {
		t.Helper()
		arguments = append([]string{"-c", "user.name=A", "-c", "user.email=a@example.com"}, arguments...)
		if _, err := git(root, arguments...); err != nil {
			t.Skipf("git %v: %v", arguments, err)
		}
	}
	do("init", "--quiet")
	for _, step := range []struct{ budget, other, message string }{
		{"9", "a", "created"},
		{"8", "b", "lowered"},
		{"12", "b", "raised\n\nIt tests more."},
		{"13", "b", "raised without a reason"},
		{"14", "c", "raised beside another change\n\nIt tests more."},
	} {
		for name, text := range map[string]string{budgetFile: "test\tapp\t" + step.budget + "\n", "other": step.other} {
			file := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		do("add", ".")
		do("commit", "--quiet", "--message", step.message)
	}
	violations, err := raisedSilently(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(violations) != 2 {
		t.Errorf("%d violations, want those of the last two commits: %v", len(violations), violations)
	}
	for _, violation := range violations {
		if !strings.Contains(violation, "raises the budgets of app") {
			t.Error(violation)
		}
	}
}

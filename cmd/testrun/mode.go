package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"punchcard/platform/testmode"
)

// mode chooses the tests of a run.
type mode struct {
	name   string // of its budgets, and for testmode
	race   bool
	raced  []string // patterns of the packages that run with the race detector only
	extra  []batch  // further commands with the race detector
	thirds bool     // only a third of the expensive states is tested
}

var modes = map[string]mode{
	"quick": {name: "quick"},
	// The packages with the race detector start goroutines, share state between requests, or batch writes.
	"test": {name: "test", race: true, thirds: true, raced: []string{
		"./app/tests/concurrent", "./platform/...", "./core/...", "./loyalty/auditapi/...", "./loyalty/branding/...",
		"./loyalty/campaign/...", "./loyalty/checkout/...",
		"./loyalty/eventlog/...", "./loyalty/identity/apikey/...", "./loyalty/identity/auth/...",
		"./loyalty/notification/...", "./loyalty/purchase/...", "./loyalty/storeapi/...", "./loyalty/transaction/...",
	}},
	// The servers of app run with the race detector on one database, and without it on both.
	"all": {name: "all", race: true, raced: []string{
		"./app/tests/concurrent", "./platform/...", "./core/...", "./loyalty/...",
	}, extra: []batch{{
		name: " (race)", packages: []string{"./app/..."}, environment: []string{"PUNCHCARD_TEST_DATABASES=sqlite"},
	}}},
}

// commands returns two sequences of commands to run side by side: without and with the race detector. The packages with
// the largest budgets come first. Begun last, they would run alone in the end. Without patterns it is all packages.
func (m mode) commands(ctx context.Context, patterns []string, allowed budgets, race bool) (
	both [2][]batch, err error,
) {
	all, lab := patterns, []string{"./..."}
	if len(patterns) > 0 {
		all, lab = split(patterns, []string{"./lab/..."})
		lab = inFolder("lab", lab)
	}
	if len(all) > 0 || len(patterns) == 0 {
		if all, err = listPackages(ctx, all); err != nil {
			return both, err
		}
	}
	slices.SortStableFunc(all, func(a, b string) int {
		return cmp.Compare(allowed.of(m.name, nameOf(b)), allowed.of(m.name, nameOf(a)))
	})
	plain, raced := split(all, m.raced)
	both[0] = appendBatch(both[0], batch{packages: plain})
	both[0] = appendBatch(both[0], batch{folder: "lab", packages: lab})
	both[1] = appendBatch(both[1], batch{race: race, packages: raced})
	for _, more := range m.extra {
		if race {
			_, more.packages = split(all, more.packages)
			more.race = true
			both[1] = appendBatch(both[1], more)
		}
	}
	return both, nil
}

// appendBatch adds a command if it has packages.
func appendBatch(to []batch, b batch) []batch {
	if len(b.packages) == 0 {
		return to
	}
	return append(to, b)
}

// nameOf returns the name of a package in the results.
func nameOf(pkg string) string { return strings.TrimPrefix(pkg, "./") }

// inFolder returns the paths as seen from a folder that holds them.
func inFolder(folder string, paths []string) (inside []string) {
	for _, path := range paths {
		inside = append(inside, "./"+strings.TrimPrefix(path, "./"+folder+"/"))
	}
	return inside
}

// listPackages returns the packages of patterns, or all, as paths from the root.
func listPackages(ctx context.Context, patterns []string) (all []string, err error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	output, err := exec.CommandContext(ctx, "go", append([]string{"list"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %v: %w", patterns, err)
	}
	for name := range strings.FieldsSeq(string(output)) {
		all = append(all, strings.Replace(name, "punchcard", ".", 1))
	}
	return all, nil
}

// split divides packages into those that no pattern contains and those that one does.
func split(all, patterns []string) (others, contained []string) {
	for _, name := range all {
		if slices.ContainsFunc(patterns, func(pattern string) bool {
			folder, below := strings.CutSuffix(pattern, "/...")
			return name == folder || below && strings.HasPrefix(name, folder+"/")
		}) {
			contained = append(contained, name)
		} else {
			others = append(others, name)
		}
	}
	return others, contained
}

// environment returns the variables that tell tests what to run.
func (m mode) environment(ctx context.Context) []string {
	variables := testmode.Environment(m.name)
	if m.thirds {
		variables = append(variables, third(ctx))
	}
	return variables
}

// third returns the environment variable that chooses the third of the expensive states which this run tests, as it is
// set or by the commit, and prints it so that a failure can be repeated. Without git it is the first.
func third(ctx context.Context) string {
	chosen := os.Getenv(testmode.ThirdVariable)
	if chosen == "" {
		commit, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
		if err != nil {
			commit = []byte("0")
		}
		chosen = strconv.Itoa(thirdOf(strings.TrimSpace(string(commit))))
	}
	setting := testmode.ThirdVariable + "=" + chosen
	fmt.Printf("Of the expensive states, one third is tested, by the commit: %s\n", setting)
	return setting
}

// thirdOf returns the third that a commit tests. The first seven hexadecimal digits of a hash are as good as all.
func thirdOf(commit string) int {
	number, err := strconv.ParseUint(commit[:min(7, len(commit))], 16, 32)
	if err != nil {
		return 0
	}
	return int(number % testmode.Thirds)
}

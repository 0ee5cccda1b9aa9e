package main

import (
	"slices"
	"testing"

	"punchcard/platform/testmode"
)

// Commits spread over the thirds, and one commit always tests the same.
func TestThirdOfACommit(t *testing.T) {
	for commit, want := range map[string]int{
		"10a70efb4c3d": 0x10a70ef % 3, "0000000": 0, "0000001": 1, "0000002": 2, "": 0, "no commit": 0,
	} {
		if got := thirdOf(commit); got != want {
			t.Errorf("commit %q tests the third %d, want %d", commit, got, want)
		}
	}
	t.Setenv(testmode.ThirdVariable, "2")
	if got := third(t.Context()); got != "PUNCHCARD_TEST_THIRD=2" {
		t.Errorf("the third of the environment is not kept: %s", got)
	}
}

// Each package is tested by one command, with the race detector or without. Large ones come first.
func TestCommands(t *testing.T) {
	t.Chdir("../..")
	allowed := budgets{{"test", "loyalty/purchase"}: 90, {"test", "cmd/punchcard"}: 80}
	both, err := modes["test"].commands(t.Context(), nil, allowed, true)
	if err != nil {
		t.Fatal(err)
	}
	plain, raced := both[0][0].packages, both[1][0].packages
	if plain[0] != "./cmd/punchcard" || raced[0] != "./loyalty/purchase" || both[1][0].race != true {
		t.Errorf("they begin with %s and %s", plain[0], raced[0])
	}
	for name, wantRaced := range map[string]bool{
		"./tidy": false, "./app": false, "./web/tests": false, "./loyalty/pos": false,
		"./loyalty/identity/seller": false, "./core/api": true, "./platform/web": true, "./loyalty/branding": true,
		"./loyalty/identity/auth": true,
	} {
		if slices.Contains(raced, name) != wantRaced || slices.Contains(plain, name) == wantRaced {
			t.Errorf("%s runs with the race detector: %v, without: %v", name, slices.Contains(raced, name),
				slices.Contains(plain, name))
		}
	}
	if lab := both[0][1]; lab.folder != "lab" {
		t.Errorf("the module lab is not tested: %+v", lab)
	}
	one, err := modes["all"].commands(t.Context(), []string{"./app", "./lab/soak", "./lab/drill/power"}, allowed, true)
	if err != nil {
		t.Fatal(err)
	}
	if lab := one[0][1]; lab.folder != "lab" || !slices.Equal(lab.packages, []string{"./soak", "./drill/power"}) {
		t.Errorf("of lab, it tests %+v", lab)
	}
	app := []string{"./app"}
	plainApp, extra := one[0][0].packages, one[1][0]
	if extra.name != " (race)" || !slices.Equal(extra.packages, app) || !slices.Equal(plainApp, app) {
		t.Errorf("of app, it tests %+v", one)
	}
}

package main

import (
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

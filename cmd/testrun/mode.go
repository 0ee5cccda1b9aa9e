package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"punchcard/platform/testmode"
)

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

// Package testwait waits in tests for what must happen, with one time-out for all of them.
package testwait

import (
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

const (
	// longest is far longer than anything takes that does not hang, also on a busy machine.
	longest = 2 * time.Minute
	pause   = 5 * time.Millisecond // between two looks at a condition
	// factor is the environment variable that multiplies the time-out, for machines that are slower still, and to show
	// that no test depends on it.
	factor = "PUNCHCARD_TEST_PATIENCE"
)

var limit = sync.OnceValue(func() time.Duration {
	by, err := strconv.ParseFloat(os.Getenv(factor), 64)
	if err != nil || by <= 0 {
		return longest
	}
	return time.Duration(float64(longest) * by)
})

// Limit returns how long a test waits for something that must happen: two minutes, multiplied by
// PUNCHCARD_TEST_PATIENCE if that is set.
func Limit() time.Duration { return limit() }

// Until waits until the condition holds, and fails the test after Limit.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	end := time.NewTimer(Limit())
	defer end.Stop()
	poll := time.NewTicker(pause)
	defer poll.Stop()
	for !holds() {
		select {
		case <-end.C:
			t.Fatalf("not within %v: %s", Limit(), what)
		case <-poll.C:
		}
	}
}

// Receive returns the next value of a channel, and fails the test if none comes within Limit.
func Receive[T any](t testing.TB, what string, from <-chan T) (got T) {
	t.Helper()
	end := time.NewTimer(Limit())
	defer end.Stop()
	select {
	case got = <-from:
	case <-end.C:
		t.Fatalf("not within %v: %s", Limit(), what)
	}
	return got
}

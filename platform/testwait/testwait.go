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

// Until waits until the condition holds, and fails the test after Limit. It looks every few milliseconds, so it is for
// what other processes and libraries do. For the rest of this program, there is Signal.
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

// Signal wakes a test when something has happened that it may wait for, such as a commit.
type Signal chan struct{}

// NewSignal returns a signal for one test.
func NewSignal() Signal { return make(Signal, 1) }

// Send wakes the test. It does not block, also if the test waits for nothing.
func (s Signal) Send() {
	select {
	case s <- struct{}{}:
	default: // the test will look anyway
	}
}

// Until waits until the condition holds, and fails the test after Limit. It looks now and after each Send.
func (s Signal) Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for !holds() {
		Receive(t, what, s)
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

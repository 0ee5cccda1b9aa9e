package main

import (
	"crypto/sha256"
	"slices"
	"syscall"
	"time"
)

// budgets are the processor times that packages may take, with what they start, in seconds of the machine on which they
// were measured: two shared cores. They are about twice the time that was measured. A package that needs more either
// does too much, or deserves a larger budget, with a reason in the commit.
var budgets = map[string]float64{
	"app/tests/transcripts": 200, "app/tests/transcripts (race)": 260, "app/tests/plans": 120, "app/tests/trade": 120,
	"cmd/punchcard":   420,
	"web/tests":       180, // without the browser, which ends by itself
	"loyalty/segment": 160, "loyalty/identity/auth": 130, "loyalty/points": 130, "loyalty/purchase": 120,
	"lab/drill": 90, "loyalty/checkout": 90,
}

// budget applies to packages that budgets does not list.
const budget = 80

// unitSeconds is the processor time of work on the machine of the budgets.
const unitSeconds = 0.53

// machineUnit returns how slow this machine is, in comparison with that of the budgets: the processor time of a fixed
// piece of work. It is more than 1 on a slower machine, and when other work shares the caches.
func machineUnit() float64 {
	const rounds = 3
	times := make([]float64, rounds)
	for i := range times {
		before := processorTime()
		work()
		times[i] = (processorTime() - before).Seconds()
	}
	slices.Sort(times)
	return times[rounds/2] / unitSeconds
}

// work hashes, sorts and allocates, as tests do.
func work() {
	text := make([]byte, 1<<20)
	for range 200 {
		sum := sha256.Sum256(text)
		copy(text, sum[:])
	}
	seed := uint32(1)
	for range 20 {
		numbers := make([]uint32, 200_000)
		for i := range numbers {
			seed = seed*1664525 + 1013904223
			numbers[i] = seed
		}
		slices.Sort(numbers)
	}
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

package outbound

import (
	"math/rand/v2"
	"time"
)

// pauses are those before the second and each further attempt: some three days altogether, as Standard Webhooks
// recommends.
var pauses = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

const (
	// Attempts is how often a call is made at most.
	Attempts = len(pauses) + 1
	// MaxRetryAfter is the longest pause that a receiver can ask for.
	MaxRetryAfter = 24 * time.Hour
	// jitter is the part of a pause that chance decides, so that calls that failed together do not come together.
	jitter = 0.2
)

// Pause is how long to wait after so many attempts that failed, 1 at least; again is false when that was the last.
// random is from 0 up to 1. A receiver's Retry-After makes the pause longer, never shorter.
func Pause(failed int, random float64, retryAfter time.Duration) (pause time.Duration, again bool) {
	if failed >= Attempts {
		return 0, false
	}
	pause = pauses[max(failed, 1)-1]
	pause += time.Duration((random - 0.5) * jitter * float64(pause))
	return max(pause, min(retryAfter, MaxRetryAfter)), true
}

// Random is the chance that Pause takes.
func Random() float64 { return rand.Float64() }

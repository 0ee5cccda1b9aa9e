package delivery

import (
	"math/rand/v2"
	"time"

	"punchcard/platform/outbound"
)

// pauses are the pauses before the second and each further attempt: about three days in total, as
// Standard Webhooks recommends. See docs/behaviour/web-hooks.md#retries.
var pauses = [...]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
	20 * time.Hour, 24 * time.Hour,
}

const (
	// Attempts is the maximum number of attempts of a delivery.
	Attempts = len(pauses) + 1
	// jitter is the random part of a pause. It spreads deliveries that failed together.
	jitter = 0.2
)

// Pause returns how long to wait after a number of failed attempts, at least 1. again is false when
// that was the last attempt. random is in [0, 1). A receiver's Retry-After makes the pause longer,
// never shorter.
func Pause(failed int, random float64, retryAfter time.Duration) (pause time.Duration, again bool) {
	if failed >= Attempts {
		return 0, false
	}
	pause = pauses[max(failed, 1)-1]
	pause += time.Duration((random - 0.5) * jitter * float64(pause))
	return max(pause, min(retryAfter, outbound.MaxRetryAfter)), true
}

// Random returns the random number for Pause.
func Random() float64 { return rand.Float64() }

package db

import (
	"context"
	"time"
)

// longestRest limits the pause after one step.
const longestRest = 2 * time.Second

type background struct{}

// InBackground marks work that can wait. After each Read and Write it pauses for as long as that took, two
// seconds at most, so that requests get at least half of the time of the database and the processor.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, background{}, true)
}

// rest pauses after a step of background work that began at the given time.
func rest(ctx context.Context, began time.Time) {
	if ctx.Value(background{}) == nil {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(min(time.Since(began), longestRest)):
	}
}

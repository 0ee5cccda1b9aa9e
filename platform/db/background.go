package db

import (
	"context"
	"time"
)

// longestRest is how long work in the background rests at most after a step.
const longestRest = 2 * time.Second

type background struct{}

// InBackground marks what can wait. After each Read and Write it rests for as long as that took, two seconds at most,
// so that requests have the database and the processor for half of the time at least.
func InBackground(ctx context.Context) context.Context {
	return context.WithValue(ctx, background{}, true)
}

// rest follows a step that began at the moment, if that was one in the background.
func rest(ctx context.Context, began time.Time) {
	if ctx.Value(background{}) == nil {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(min(time.Since(began), longestRest)):
	}
}

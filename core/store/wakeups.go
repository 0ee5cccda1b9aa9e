package store

import (
	"context"

	"punchcard/platform/db"
)

// wakeupLimit is how many stores with new work can wait. A job finds the work of others.
const wakeupLimit = 64

// Wakeups start background work of stores at once, without waiting for its job. The job repeats what failed or was
// interrupted, so a lost wakeup does no harm.
type Wakeups chan *Store

// NewWakeups returns wakeups for one kind of work.
func NewWakeups() Wakeups { return make(Wakeups, wakeupLimit) }

// Wake makes Run work for a store. It does not block.
func (w Wakeups) Wake(s *Store) {
	select {
	case w <- s:
	default:
	}
}

// Run works for each store that is woken, for some at once, until ctx ends and the work that has begun returns. It logs
// failed as the message of an error.
func (w Wakeups) Run(ctx context.Context, d *db.DB, atOnce int, failed string,
	work func(context.Context, *db.DB, *Store) (int64, error),
) {
	places := make(chan struct{}, atOnce)
	for {
		select {
		case <-ctx.Done():
			for range atOnce {
				places <- struct{}{}
			}
			return
		case s := <-w:
			places <- struct{}{}
			go func() {
				defer func() { <-places }()
				if _, err := work(ctx, d, s); err != nil && ctx.Err() == nil {
					d.Log().Warn(failed, "error", err)
				}
			}()
		}
	}
}

package dbtest

import (
	"sync"
	"time"
)

// Clock is a clock that only tests move.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
}

// NewClock returns a clock with the given time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

// Set sets the time of the clock.
func (c *Clock) Set(now time.Time) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = now
}

// Advance moves the clock forward, or back by a negative duration.
func (c *Clock) Advance(by time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(by)
}

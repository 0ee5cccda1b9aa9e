package dbtest

import (
	"sync"
	"time"
)

// Clock stands still until a test moves it.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
}

// NewClock stands at the moment.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now is the moment at which the clock stands.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

// Set moves the clock to a moment.
func (c *Clock) Set(now time.Time) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = now
}

// Advance moves the clock by a time, back by a negative one.
func (c *Clock) Advance(by time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(by)
}

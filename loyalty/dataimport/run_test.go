package dataimport

import (
	"testing"
	"time"
)

// A run holds an import until its lease ends. A lease of a clock that was ahead holds nothing.
func TestLeases(t *testing.T) {
	now := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		owner string
		left  time.Duration
		held  bool
	}{
		{"", leaseTerm, false}, {"a run", leaseTerm, true}, {"a run", time.Second, true}, {"a run", 0, false},
		{"a run", -time.Hour, false}, {"a run", leaseTerm + time.Microsecond, false}, {"a run", 24 * time.Hour, false},
	} {
		i := &Import{owner: c.owner, leaseUntil: now.Add(c.left)}
		if got := i.isHeld(now); got != c.held {
			t.Errorf("the lease of %q with %v left is held: %t", c.owner, c.left, got)
		}
	}
}

package auth

import (
	"net/netip"
	"sync"
	"time"

	"punchcard/platform/fault"
)

// evictionSample is how many keys a full limiter looks at to find one to forget.
const evictionSample = 8

// limiter bounds failures by key: some in a row, then one after each pause. It is a leaky bucket whose
// whole state is the moment when it is empty, from which on the key needs no memory.
type limiter struct {
	pause    time.Duration
	capacity time.Duration // failures in a row, times pause
	keys     int           // remembered at most

	mutex   sync.Mutex
	emptyAt map[string]time.Time
}

func newLimiter(failures int, pause time.Duration, keys int) *limiter {
	return &limiter{
		pause: pause, capacity: time.Duration(failures) * pause, keys: keys, emptyAt: map[string]time.Time{},
	}
}

// take counts a failure before it is known to be one, so that attempts at the same moment cannot pass
// the limit together. It is an error, and counts nothing, when the limit is reached.
func (l *limiter) take(key string, now time.Time) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	emptyAt, known := l.emptyAt[key]
	if emptyAt.Before(now) {
		emptyAt = now
	}
	emptyAt = emptyAt.Add(l.pause)
	if wait := emptyAt.Sub(now) - l.capacity; wait > 0 {
		return fault.Retry(fault.Limited, "", wait)
	}
	if !known && len(l.emptyAt) >= l.keys {
		l.evict()
	}
	l.emptyAt[key] = emptyAt
	return nil
}

// giveBack undoes a take that turned out to be no failure.
func (l *limiter) giveBack(key string, now time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	emptyAt, known := l.emptyAt[key]
	if !known {
		return
	}
	if emptyAt = emptyAt.Add(-l.pause); emptyAt.After(now) {
		l.emptyAt[key] = emptyAt
	} else {
		delete(l.emptyAt, key)
	}
}

// evict forgets, of a few keys, the one that would be forgotten first anyway.
func (l *limiter) evict() {
	var first string
	seen := 0
	for key, emptyAt := range l.emptyAt { // begins anywhere
		if seen == 0 || emptyAt.Before(l.emptyAt[first]) {
			first = key
		}
		if seen++; seen == evictionSample {
			break
		}
	}
	delete(l.emptyAt, first)
}

// network is the part of a peer's address that one client cannot change at will.
func network(remoteAddr string) string {
	peer, err := netip.ParseAddrPort(remoteAddr)
	if err != nil {
		return remoteAddr
	}
	address := peer.Addr().Unmap().WithZone("")
	if address.Is4() {
		return address.String()
	}
	return netip.PrefixFrom(address, 64).Masked().String()
}

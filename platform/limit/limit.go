// Package limit bounds how often a caller may do something, by a key that names the caller, in bounded memory.
package limit

import (
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"punchcard/platform/fault"
)

// DefaultKeys is how many keys a limiter remembers at most, about 100 bytes each.
const DefaultKeys = 65536

var errLimited = fault.New(fault.Limited, "rate_limit_exceeded", "")

const (
	// shards is how many locks a limiter has, so that requests rarely wait for each other.
	shards = 64
	// evictionSample is how many keys a full shard looks at to find one to forget.
	evictionSample = 8
)

// Limiter counts uses by key. Each key has a leaky bucket, whose whole state is the moment when it is empty; from then
// on the key needs no memory. It is safe for concurrent use; a nil Limiter limits nothing.
type Limiter struct {
	name     string
	rate     Rate
	pause    time.Duration // until one of the quota comes back
	capacity time.Duration // the whole quota, times pause
	seed     maphash.Seed
	keys     int // remembered by a shard at most
	shards   [shards]shard
}

type shard struct {
	mutex   sync.Mutex
	emptyAt map[string]int64 // nanoseconds since 1970
}

// New makes a limiter that tells clients of itself under the name. It is nil when the rate is none.
func New(name string, rate Rate, keys int) *Limiter {
	if rate.Quota <= 0 {
		return nil
	}
	l := &Limiter{
		name: name, rate: rate, pause: max(1, rate.Window/time.Duration(rate.Quota)), seed: maphash.MakeSeed(),
		keys: max(1, keys/shards),
	}
	l.capacity = l.pause * time.Duration(rate.Quota)
	for i := range l.shards {
		l.shards[i].emptyAt = map[string]int64{}
	}
	return l
}

// Remaining is what a key may still do.
type Remaining struct {
	of    *Limiter
	Quota int
	Reset time.Duration // until one more comes back
}

// Take counts a use. It is an error, and counts nothing, when the limit is reached. What may turn out not to count is
// taken before and given back after, so that attempts at the same moment cannot pass the limit together.
func (l *Limiter) Take(key string, now time.Time) (Remaining, error) {
	if l == nil {
		return Remaining{}, nil
	}
	s := l.shard(key)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	emptyAt, known := s.emptyAt[key]
	filled := time.Duration(emptyAt - now.UnixNano())
	if filled > l.capacity { // the clock was set back
		filled = l.capacity
		s.emptyAt[key] = now.Add(filled).UnixNano()
	}
	filled = max(0, filled) + l.pause
	if wait := filled - l.capacity; wait > 0 {
		return Remaining{l, 0, wait}, errLimited.After(wait)
	}
	if !known && len(s.emptyAt) >= l.keys {
		s.evict()
	}
	s.emptyAt[key] = now.Add(filled).UnixNano()
	return l.left(filled), nil
}

// left is what remains of a bucket that is filled so far.
func (l *Limiter) left(filled time.Duration) Remaining {
	if filled == 0 {
		return Remaining{l, l.rate.Quota, 0}
	}
	free := l.capacity - filled
	return Remaining{l, int(free / l.pause), l.pause - free%l.pause}
}

// GiveBack undoes a Take.
func (l *Limiter) GiveBack(key string, now time.Time) Remaining {
	if l == nil {
		return Remaining{}
	}
	s := l.shard(key)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	filled := max(0, min(time.Duration(s.emptyAt[key]-now.UnixNano()), l.capacity)-l.pause)
	if filled > 0 {
		s.emptyAt[key] = now.Add(filled).UnixNano()
	} else {
		delete(s.emptyAt, key)
	}
	return l.left(filled)
}

func (l *Limiter) shard(key string) *shard { return &l.shards[maphash.String(l.seed, key)%shards] }

// evict forgets, of a few keys, the one that would be forgotten first anyway.
func (s *shard) evict() {
	var first string
	seen := 0
	for key, emptyAt := range s.emptyAt { // begins anywhere
		if seen == 0 || emptyAt < s.emptyAt[first] {
			first = key
		}
		if seen++; seen == evictionSample {
			break
		}
	}
	delete(s.emptyAt, first)
}

// SetHeaders adds the limit to the headers of an answer, as draft-ietf-httpapi-ratelimit-headers-11 has them. Several limits
// of one answer are a list.
func (left Remaining) SetHeaders(header map[string][]string) {
	if left.of == nil {
		return
	}
	add := func(name, item string) {
		if told := header[name]; len(told) > 0 {
			item = told[0] + ", " + item
		}
		header[name] = []string{item}
	}
	add("Ratelimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", left.of.name, left.of.rate.Quota, seconds(left.of.rate.Window)))
	add("Ratelimit", fmt.Sprintf("%q;r=%d;t=%d", left.of.name, left.Quota, seconds(left.Reset)))
}

// seconds are whole ones, rounded up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// Package limit limits how often a caller may do something, by a key that identifies the caller, in bounded memory.
package limit

import (
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"punchcard/platform/fault"
)

// DefaultKeys is the maximum number of keys that a limiter remembers, about 100 bytes each.
const DefaultKeys = 65536

var errLimited = fault.New(fault.Limited, "rate_limit_exceeded", "")

const (
	// shards is the number of locks of a limiter, so that requests rarely wait for each other.
	shards = 64
	// evictionSample is the number of keys from which a full shard evicts one.
	evictionSample = 8
)

// Limiter counts uses by key. Each key has a leaky bucket, stored as the moment at which it will be empty; after that
// the key needs no memory. A Limiter is safe for concurrent use. A nil Limiter limits nothing.
type Limiter struct {
	name     string
	rate     Rate
	pause    time.Duration // until one use is available again
	capacity time.Duration // quota times pause
	seed     maphash.Seed
	keys     int // maximum of a shard
	shards   [shards]shard
}

type shard struct {
	mutex   sync.Mutex
	emptyAt map[string]int64 // nanoseconds since 1970
}

// New returns a limiter with a name for response headers, nil if the rate is zero.
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

// Remaining is the rest of a quota.
type Remaining struct {
	of    *Limiter
	Quota int
	Reset time.Duration // until one more use is available
}

// Take counts a use. At the limit it counts nothing and returns an error. Uses that may turn out not to count are taken
// first and given back later, so that concurrent attempts cannot exceed the limit.
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
	return l.remaining(filled), nil
}

// remaining returns the rest of the quota when the bucket is filled so far.
func (l *Limiter) remaining(filled time.Duration) Remaining {
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
	return l.remaining(filled)
}

func (l *Limiter) shard(key string) *shard { return &l.shards[maphash.String(l.seed, key)%shards] }

// evict removes the key of a sample that would expire first.
func (s *shard) evict() {
	var first string
	seen := 0
	for key, emptyAt := range s.emptyAt { // in random order
		if seen == 0 || emptyAt < s.emptyAt[first] {
			first = key
		}
		if seen++; seen == evictionSample {
			break
		}
	}
	delete(s.emptyAt, first)
}

// SetHeaders adds the limit to the headers of a response, as draft-ietf-httpapi-ratelimit-headers-11 defines them.
// Several limits of one response are a list.
func (r Remaining) SetHeaders(header map[string][]string) {
	if r.of == nil {
		return
	}
	add := func(name, item string) {
		if others := header[name]; len(others) > 0 {
			item = others[0] + ", " + item
		}
		header[name] = []string{item}
	}
	add("Ratelimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", r.of.name, r.of.rate.Quota, seconds(r.of.rate.Window)))
	add("Ratelimit", fmt.Sprintf("%q;r=%d;t=%d", r.of.name, r.Quota, seconds(r.Reset)))
}

// seconds rounds up to whole seconds.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

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
	bucket
	table
}

// bucket is the size of the leaky bucket of a key.
type bucket struct {
	name     string
	rate     Rate
	pause    time.Duration // until one use is available again
	capacity time.Duration // quota times pause
}

func newBucket(name string, rate Rate) bucket {
	pause := max(1, rate.Window/time.Duration(rate.Quota))
	return bucket{name, rate, pause, pause * time.Duration(rate.Quota)}
}

// table holds the buckets of keys.
type table struct {
	seed   maphash.Seed
	keys   int // maximum of a shard
	shards [shards]shard
}

func (t *table) open(keys int) {
	t.seed, t.keys = maphash.MakeSeed(), max(1, keys/shards)
	for i := range t.shards {
		t.shards[i].emptyAt = map[string]int64{}
	}
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
	l := &Limiter{bucket: newBucket(name, rate)}
	l.open(keys)
	return l
}

// Varying is a Limiter whose keys have rates of their own. A nil Varying limits nothing.
type Varying struct {
	name string
	table
}

// NewVarying returns a limiter with a name for response headers.
func NewVarying(name string, keys int) *Varying {
	l := &Varying{name: name}
	l.open(keys)
	return l
}

// Take counts a use like Limiter.Take, against the present rate of the key. The zero Rate counts nothing.
func (l *Varying) Take(key string, rate Rate, now time.Time) (Remaining, error) {
	if l == nil || rate.Quota <= 0 {
		return Remaining{}, nil
	}
	return l.take(newBucket(l.name, rate), key, now)
}

// Remaining is the rest of a quota.
type Remaining struct {
	of    bucket // zero without a limit
	Quota int
	Reset time.Duration // until one more use is available
}

// Take counts a use. At the limit it counts nothing and returns an error. Uses that may turn out not to count are taken
// first and given back later, so that concurrent attempts cannot exceed the limit.
func (l *Limiter) Take(key string, now time.Time) (Remaining, error) {
	if l == nil {
		return Remaining{}, nil
	}
	return l.take(l.bucket, key, now)
}

func (t *table) take(b bucket, key string, now time.Time) (Remaining, error) {
	s := t.shard(key)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	emptyAt, known := s.emptyAt[key]
	filled := time.Duration(emptyAt - now.UnixNano())
	if filled > b.capacity { // the clock was set back, or the key has a lower rate now
		filled = b.capacity
		s.emptyAt[key] = now.Add(filled).UnixNano()
	}
	filled = max(0, filled) + b.pause
	if wait := filled - b.capacity; wait > 0 {
		return Remaining{b, 0, wait}, errLimited.After(wait)
	}
	if !known && len(s.emptyAt) >= t.keys {
		s.evict()
	}
	s.emptyAt[key] = now.Add(filled).UnixNano()
	return b.remaining(filled), nil
}

// remaining returns the rest of the quota when the bucket is filled so far.
func (b bucket) remaining(filled time.Duration) Remaining {
	if filled == 0 {
		return Remaining{b, b.rate.Quota, 0}
	}
	free := b.capacity - filled
	return Remaining{b, int(free / b.pause), b.pause - free%b.pause}
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

func (t *table) shard(key string) *shard { return &t.shards[maphash.String(t.seed, key)%shards] }

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
	if r.of.rate.Quota == 0 {
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

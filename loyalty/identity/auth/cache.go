package auth

import (
	"crypto/sha256"
	"sync"
	"sync/atomic"
	"time"

	"punchcard/core/access"
)

// cacheShards is the number of shards, each with its own lock, so that requests rarely contend.
const cacheShards = 64

// cache holds verified tokens by their hash, until they expire or are due for a recheck. When a shard is full, a new
// token replaces an arbitrary one, which is verified again when it is used.
type cache struct {
	shards    [cacheShards]shard
	limit     int          // entries in a shard
	forgotten atomic.Int64 // how often forget was called
}

type shard struct {
	mutex   sync.RWMutex
	entries map[[sha256.Size]byte]entry

	hits, misses atomic.Int64
}

type entry struct {
	caller *access.Caller // shared by requests, never modified
	until  int64          // microseconds since 1970
}

func newCache(tokens int) *cache {
	c := &cache{limit: max(1, tokens/cacheShards)}
	for i := range c.shards {
		c.shards[i].entries = map[[sha256.Size]byte]entry{}
	}
	return c
}

func (c *cache) shard(key *[sha256.Size]byte) *shard { return &c.shards[key[0]%cacheShards] }

// get returns the caller of a cached token, or nil.
func (c *cache) get(key *[sha256.Size]byte, now time.Time) *access.Caller {
	s := c.shard(key)
	s.mutex.RLock()
	e := s.entries[*key]
	s.mutex.RUnlock()
	if now.UnixMicro() >= e.until {
		s.misses.Add(1)
		return nil
	}
	s.hits.Add(1)
	return e.caller
}

// counts returns the number of cache hits and misses.
func (c *cache) counts() (hits, misses int64) {
	for i := range c.shards {
		hits += c.shards[i].hits.Load()
		misses += c.shards[i].misses.Load()
	}
	return hits, misses
}

// put adds a token, unless c.forgotten has changed since it was forgotten: then the caller may be outdated.
func (c *cache) put(key *[sha256.Size]byte, caller *access.Caller, until time.Time, forgotten int64) {
	s := c.shard(key)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if c.forgotten.Load() != forgotten {
		return
	}
	if _, known := s.entries[*key]; !known && len(s.entries) >= c.limit {
		for other := range s.entries { // in random order
			delete(s.entries, other)
			break
		}
	}
	s.entries[*key] = entry{caller, until.UnixMicro()}
}

// forget removes the tokens of some callers. It visits every entry, which is fine for rare changes.
func (c *cache) forget(some func(*access.Caller) bool) {
	c.forgotten.Add(1)
	for i := range c.shards {
		s := &c.shards[i]
		s.mutex.Lock()
		for key, e := range s.entries {
			if some(e.caller) {
				delete(s.entries, key)
			}
		}
		s.mutex.Unlock()
	}
}

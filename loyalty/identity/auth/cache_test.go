package auth

import (
	"crypto/sha256"
	"strconv"
	"sync"
	"testing"
	"time"

	"punchcard/core/access"
)

func TestCacheStaysWithinItsBounds(t *testing.T) {
	const tokens = 640
	c, now := newCache(tokens), time.Unix(1000, 0)
	for i := range 10 * tokens {
		key := sha256.Sum256([]byte(strconv.Itoa(i)))
		c.put(&key, &access.Caller{ID: strconv.Itoa(i)}, now.Add(time.Second), 0)
		if got := c.get(&key, now); got == nil || got.ID != strconv.Itoa(i) {
			t.Fatalf("token %d is not remembered right after it came: %v", i, got)
		}
	}
	if n := c.size(); n > tokens || n < tokens*9/10 {
		t.Errorf("the cache holds %d tokens of %d", n, tokens)
	}
}

func TestCacheForgetsByTimeAndByUser(t *testing.T) {
	c, now := newCache(640), time.Unix(1000, 0)
	mine, theirs := sha256.Sum256([]byte("mine")), sha256.Sum256([]byte("theirs"))
	c.put(&mine, &access.Caller{ID: "me"}, now.Add(time.Second), 0)
	c.put(&theirs, &access.Caller{ID: "them"}, now.Add(time.Minute), 0)
	if c.get(&mine, now.Add(time.Second-time.Microsecond)) == nil || c.get(&mine, now.Add(time.Second)) != nil {
		t.Error("a token does not end at its moment")
	}
	c.forget(ofUser("them"))
	if c.get(&theirs, now) != nil || c.get(&mine, now) == nil {
		t.Error("forgetting one user changed the wrong token")
	}
	c.put(&theirs, &access.Caller{ID: "them"}, now.Add(time.Minute), 0)
	if c.get(&theirs, now) != nil {
		t.Error("what was read before the user was forgotten is remembered after it")
	}
	c.put(&theirs, &access.Caller{ID: "them"}, now.Add(time.Minute), 1)
	if c.get(&theirs, now) == nil {
		t.Error("what was read after the user was forgotten is not remembered")
	}
}

func TestCacheIsSafeForManyRequests(t *testing.T) {
	c, now := newCache(64), time.Unix(1000, 0)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 2000 {
				key := sha256.Sum256([]byte(strconv.Itoa(i % 100)))
				switch caller := c.get(&key, now); {
				case caller == nil:
					c.put(&key, &access.Caller{ID: strconv.Itoa(i % 100)}, now.Add(time.Second), c.forgotten.Load())
				case caller.ID != strconv.Itoa(i%100):
					t.Errorf("token %d is that of %s", i%100, caller.ID)
				}
				if i%500 == worker {
					c.forget(ofUser(strconv.Itoa(i % 100)))
				}
			}
		})
	}
	all.Wait()
}

func ofUser(id string) func(*access.Caller) bool {
	return func(c *access.Caller) bool { return c.ID == id }
}

func (c *cache) size() (n int) {
	for i := range c.shards {
		n += len(c.shards[i].entries)
	}
	return n
}

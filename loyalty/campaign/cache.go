package campaign

import "sync"

// CacheBytes is the capacity of the cache of a catalogue, by a rough estimate. It is a part of the memory limit of the
// process.
const CacheBytes = 16 << 20

// cache holds data that many requests read: campaigns, lists of offers and sizes of audiences. A value names the state
// it was read from, so that its readers can tell whether it is current. Values are shared and must not be changed.
type cache struct {
	mutex sync.RWMutex
	byKey map[any]cacheEntry
	bytes int
}

type cacheEntry struct {
	value any
	bytes int
}

// The types of the keys, by the type of the value.
type (
	campaignKey string // an id; *Campaign
	offersKey   string // a store and a query; *offerList
	audienceKey string // a store and targets; *audienceSize
)

// cached returns the value of a key, and the zero value if there is none.
func cached[V any](c *cache, key any) (value V) {
	c.mutex.RLock()
	defer c.mutex.RUnlock()
	value, _ = c.byKey[key].value.(V)
	return value
}

// put stores a value of about the given size.
func (c *cache) put(key, value any, bytes int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drop(key)
	c.add(key, value, bytes)
}

// findOrPut returns the value of a key. If there is none, it stores and returns the given one.
func findOrPut[V any](c *cache, key any, value V, bytes int) V {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if known, found := c.byKey[key].value.(V); found {
		return known
	}
	c.add(key, value, bytes)
	return value
}

// add makes room by dropping about half of a full cache, whichever entries those are.
func (c *cache) add(key, value any, bytes int) {
	if bytes > CacheBytes/2 {
		return
	}
	if c.bytes+bytes > CacheBytes {
		for other := range c.byKey {
			if c.drop(other); c.bytes <= CacheBytes/2 {
				break
			}
		}
	}
	if c.byKey == nil {
		c.byKey = map[any]cacheEntry{}
	}
	c.byKey[key] = cacheEntry{value, bytes}
	c.bytes += bytes
}

func (c *cache) drop(key any) {
	c.bytes -= c.byKey[key].bytes
	delete(c.byKey, key)
}

// bytes estimates the size of a campaign in memory.
func (c *Campaign) bytes() int {
	const itself, perText = 1 << 10, 64
	n := itself + perText*(len(c.Definition.Levels)+len(c.Definition.Segments)+len(c.Definition.Categories))
	for _, l := range c.Definition.Labels {
		n += perText + len(l.Key) + len(l.Value)
	}
	for _, t := range c.Definition.Translations {
		n += 2*perText + len(t.Name) + len(t.ShortDescription) + len(t.ConditionsDescription) +
			len(t.UsageInstruction) + len(t.BrandDescription) + len(t.BrandName)
	}
	return n
}

package config

import (
	"container/list"
	"reflect"
	"sync"
	"time"
)

const (
	// CacheBytes is the capacity of the values in memory, by a rough estimate. Those that were not used for the longest
	// time go first. It is a part of the memory limit of the process.
	CacheBytes = 16 << 20
	// CacheTime is how long a value is used at most, for changes that raise no version: those by an older program during
	// an upgrade, or by hand.
	CacheTime = time.Minute
)

// key identifies a value.
type key struct {
	part     any // *Part
	storeKey int64
}

type entry struct {
	id      key
	value   any
	version int64  // of its tables
	seen    totals // at which that was their version
	readAt  time.Time
	bytes   int
}

// cache holds values that are committed.
type cache struct {
	mutex sync.Mutex
	byKey map[key]*list.Element
	order list.List // of *entry; the one that was used last comes first
	bytes int
}

type sharedKey struct{}

func newCache() *cache { return &cache{byKey: map[key]*list.Element{}} }

// find returns a value that is current if the versions of all tables are these.
func (c *cache) find(id key, at totals, now time.Time) (any, bool) {
	return c.get(id, func(e *entry) bool { return e.seen == at && now.Sub(e.readAt) < CacheTime })
}

// findVersion returns a value that is current if its tables have a version.
func (c *cache) findVersion(id key, version int64, now time.Time) (any, bool) {
	return c.get(id, func(e *entry) bool { return e.version == version && now.Sub(e.readAt) < CacheTime })
}

func (c *cache) get(id key, isCurrent func(*entry) bool) (any, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	element := c.byKey[id]
	if element == nil || !isCurrent(element.Value.(*entry)) {
		return nil, false
	}
	c.order.MoveToFront(element)
	return element.Value.(*entry).value, true
}

// put stores a value, or only the versions at which it is still the same. A newer one stays.
func (c *cache) put(made *entry, isSame bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	element := c.byKey[made.id]
	switch {
	case element == nil && isSame:
		return // it had to go meanwhile
	case element != nil:
		present := element.Value.(*entry)
		if made.version < present.version {
			return
		}
		if isSame {
			if made.version == present.version {
				present.seen = made.seen
			}
			return
		}
		c.remove(element)
	}
	made.bytes = sizeOf(reflect.ValueOf(made.value), map[uintptr]bool{})
	c.bytes += made.bytes
	c.byKey[made.id] = c.order.PushFront(made)
	for c.bytes > CacheBytes {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(element *list.Element) {
	gone := c.order.Remove(element).(*entry)
	delete(c.byKey, gone.id)
	c.bytes -= gone.bytes
}

// sizeOf estimates the memory of a value and of what it refers to.
func sizeOf(v reflect.Value, visited map[uintptr]bool) (n int) {
	const perEntry = 16 // of a map, besides its key and value
	n = int(v.Type().Size())
	switch v.Kind() {
	case reflect.Pointer, reflect.Map:
		if v.IsNil() || visited[v.Pointer()] {
			return n
		}
		visited[v.Pointer()] = true
		if v.Kind() == reflect.Pointer {
			return n + sizeOf(v.Elem(), visited)
		}
		for each := v.MapRange(); each.Next(); {
			n += perEntry + sizeOf(each.Key(), visited) + sizeOf(each.Value(), visited)
		}
	case reflect.Interface:
		if !v.IsNil() {
			n += sizeOf(v.Elem(), visited)
		}
	case reflect.String:
		n += v.Len()
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			n += sizeOf(v.Index(i), visited)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += sizeOf(v.Field(i), visited) - int(v.Field(i).Type().Size())
		}
	}
	return n
}

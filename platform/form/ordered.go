package form

import (
	"math"
	"slices"
	"strconv"
)

// fewNames is the number of names up to which a search is linear, without a map.
const fewNames = 12

// ordered has named values in order. A list, whose names are the positions "0", "1", "2", …, stores no names, so that
// 100,000 entries need neither strings nor a map. It is not safe for concurrent use: a look-up may build the map.
type ordered[T any] struct {
	names  []string // nil while the names are the positions
	values []T
	places map[string]int // position by name; built by the first look-up among many names
}

func (o *ordered[T]) name(i int) string {
	if o.names == nil {
		return strconv.Itoa(i)
	}
	return o.names[i]
}

// find returns the position of name, or -1.
func (o *ordered[T]) find(name string) int {
	if o.names == nil {
		if i, ok := parseIndex(name); ok && i < int64(len(o.values)) {
			return int(i)
		}
		return -1
	}
	if len(o.names) <= fewNames {
		return slices.Index(o.names, name)
	}
	if o.places == nil {
		o.places = make(map[string]int, 2*len(o.names))
		for i, n := range o.names {
			o.places[n] = i
		}
	}
	if i, ok := o.places[name]; ok {
		return i
	}
	return -1
}

// add appends a value under a new name.
func (o *ordered[T]) add(name string, value T) {
	if o.names == nil {
		if i, ok := parseIndex(name); ok && i == int64(len(o.values)) {
			o.values = append(o.values, value)
			return
		}
		o.names = make([]string, len(o.values), len(o.values)+4)
		for i := range o.names {
			o.names[i] = strconv.Itoa(i)
		}
	}
	if o.places != nil {
		o.places[name] = len(o.names)
	}
	o.names = append(o.names, name)
	o.values = append(o.values, value)
}

// parseIndex parses a position: digits without sign or leading zero, up to 63 bits.
func parseIndex(name string) (int64, bool) {
	if name == "" || len(name) > 19 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	var index uint64
	for i := range len(name) {
		digit := name[i] - '0'
		if digit > 9 {
			return 0, false
		}
		index = index*10 + uint64(digit)
	}
	return int64(index), index <= math.MaxInt64
}

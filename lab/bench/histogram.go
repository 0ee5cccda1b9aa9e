package main

import (
	"math"
	"time"
)

// histogram counts durations in buckets, each one percent wider than the one before. Its size is
// fixed, so that counting does not allocate.
type histogram [histogramBuckets]uint32

const (
	histogramBuckets = 1900 // up to 160 seconds; longer durations count as 160 seconds
	shortest         = float64(time.Microsecond)
	growth           = 1.01
)

var logGrowth = math.Log(growth)

func (h *histogram) add(d time.Duration) {
	bucket := int(math.Log(max(1, float64(d)/shortest)) / logGrowth)
	h[min(bucket, histogramBuckets-1)]++
}

func (h *histogram) merge(other *histogram) {
	for i, n := range other {
		h[i] += n
	}
}

func (h *histogram) total() int64 {
	var total int64
	for _, n := range h {
		total += int64(n)
	}
	return total
}

// quantile returns the duration that the given share does not exceed, at most one percent too long,
// or 0 if nothing was counted.
func (h *histogram) quantile(share float64) time.Duration {
	rank := int64(math.Ceil(share * float64(h.total())))
	var below int64
	for i, n := range h {
		if below += int64(n); n > 0 && below >= rank {
			return time.Duration(shortest * math.Pow(growth, float64(i+1)))
		}
	}
	return 0
}

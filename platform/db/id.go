package db

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// NewID returns a new UUIDv7. Later ids sort after earlier ones, so that tables grow at one end.
func (tx *Tx) NewID() string { return NewID() }

// NewID returns a new UUIDv7.
func NewID() string {
	id, err := uuid.NewV7()
	if err != nil {
		panic(fmt.Errorf("no randomness: %w", err)) // the operating system cannot give random bytes
	}
	return id.String()
}

// idsMade numbers the ids of NewIDAt.
var idsMade atomic.Uint32

// NewIDAt returns a new UUIDv7 that begins with a time, to the microsecond, so that the order of such ids is that of
// their times. Ids of the same microsecond are in the order in which this process made them.
func NewIDAt(at time.Time) string {
	return idAt(at, idsMade.Add(1), rand.Uint32())
}

// FirstIDAt returns the lowest id that NewIDAt returns for a time. The ids of a span of time are those from the first
// of its beginning and before the first of its end.
func FirstIDAt(at time.Time) string { return idAt(at, 0, 0) }

const (
	idTimeLimit   = 1<<48 - 1 // milliseconds since 1970
	idNumberLimit = 1<<30 - 1
)

// idAt lays out milliseconds since 1970 (48 bits), version 7, the fraction of the millisecond (12 bits), the variant, a
// number (30 bits) and random bits (32).
func idAt(at time.Time, number, random uint32) string {
	micros := min(max(0, at.UnixMicro()), idTimeLimit*1000)
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[0:], uint64(micros/1000)<<16|7<<12|uint64(micros%1000)<<12/1000)
	binary.BigEndian.PutUint32(id[8:], 1<<31|number&idNumberLimit)
	binary.BigEndian.PutUint32(id[12:], random)
	return id.String()
}

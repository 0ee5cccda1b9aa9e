package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Errors of moving the clock of a store.
var (
	ErrNotSandbox = fault.New(fault.Refused, "not_a_sandbox", "This store is not a sandbox: its clock cannot be moved.")
	ErrBackwards  = fault.New(fault.Refused, "clock_moved_backwards", "The clock of a store only moves forward.")
	ErrTooFar     = fault.New(fault.Refused, "clock_moved_too_far", "The clock of a store does not move that far.")
)

// Limits of moving a clock, in days: in one call, and ahead of the server's clock in total.
const (
	StepLimit  = 3_660
	AheadLimit = 36_600
)

// Tx returns the operation with the store's clock. Write, Read, NewBatch, NewReadBatch and api.Call set it already.
func (s *Store) Tx(tx *db.Tx) *db.Tx { return tx.Ahead(s.Ahead) }

// Write is d.Write with the clock of a store.
func Write(ctx context.Context, d *db.DB, s *Store, run func(tx *db.Tx) error) error {
	return d.Write(ctx, func(tx *db.Tx) error { return run(s.Tx(tx)) })
}

// Read is d.Read with the clock of a store.
func Read(ctx context.Context, d *db.DB, s *Store, run func(tx *db.Tx) error) error {
	return d.Read(ctx, func(tx *db.Tx) error { return run(s.Tx(tx)) })
}

// MoveClock moves the clock of a sandbox store forward, and returns the changed store. to returns the new time for the
// locked store and its present time.
func MoveClock(tx *db.Tx, key int64, to func(s *Store, now time.Time) time.Time) (*Store, error) {
	s, err := Lock(tx, key)
	if err != nil {
		return nil, err
	}
	if !s.Sandbox {
		return nil, ErrNotSandbox
	}
	const day = 24 * time.Hour
	now := s.Tx(tx).Now()
	switch step := to(s, now).Sub(now); {
	case step <= 0:
		return nil, ErrBackwards
	case step > StepLimit*day, s.Ahead+step > AheadLimit*day:
		return nil, ErrTooFar
	default:
		s.Ahead += step.Truncate(time.Microsecond)
	}
	return s, table.Update(tx, "clock_ahead", s)
}

// microseconds is the stored form of a duration.
type microseconds time.Duration

func (m *microseconds) Value() (driver.Value, error) { return time.Duration(*m).Microseconds(), nil }

func (m *microseconds) Scan(source any) error {
	n, ok := source.(int64)
	if !ok {
		return fmt.Errorf("a span of time is %T", source)
	}
	*m = microseconds(time.Duration(n) * time.Microsecond)
	return nil
}

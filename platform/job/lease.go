package job

import (
	"context"
	"time"

	"punchcard/platform/db"
)

// LeaseTerm is how long a lease lasts without being renewed, and so for how long nobody works after a
// node crashed. The clocks of the nodes must agree within half of it.
const LeaseTerm = 20 * time.Second

// Lease lets one node among many do work that never ends. It belongs to one goroutine.
type Lease struct {
	db         *db.DB
	name, node string
	until      time.Time // zero when not held
}

// NewLease makes a lease on the name for the node; every process has a node name of its own.
func NewLease(d *db.DB, name, node string) *Lease { return &Lease{db: d, name: name, node: node} }

// Hold takes the lease, or renews it once half of it is over; false means that another node has it. A
// lease that is held lasts for half of LeaseTerm at least. Asking for it costs no write while another
// node has it, and nothing at all while it is held and fresh.
func (l *Lease) Hold(ctx context.Context) (bool, error) {
	now := l.db.Now()
	if left := l.until.Sub(now); left > LeaseTerm/2 && left <= LeaseTerm {
		return true, nil
	}
	free, err := l.free(ctx)
	if err != nil || !free {
		l.until = time.Time{}
		return false, err
	}
	until, held := now.Add(LeaseTerm), false
	err = l.db.Write(ctx, func(tx *db.Tx) error {
		held, err = takeLease(tx, l.name, l.node, until)
		return err
	})
	if l.until = until; err != nil || !held {
		l.until = time.Time{}
	}
	return err == nil && held, err
}

func (l *Lease) free(ctx context.Context) (free bool, err error) {
	err = l.db.Read(ctx, func(tx *db.Tx) error {
		free, err = leaseIsFree(tx, l.name, l.node)
		return err
	})
	return free, err
}

// Release lets another node have the lease at once.
func (l *Lease) Release(ctx context.Context) error {
	l.until = time.Time{}
	return l.db.Write(ctx, func(tx *db.Tx) error { return release(tx, l.name, l.node) })
}

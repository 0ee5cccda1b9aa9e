package job

import (
	"context"
	"time"

	"punchcard/platform/db"
)

// LeaseTerm is how long a lease lasts without renewal, and so the longest gap after a node crashed.
// The clocks of the nodes must agree within half of it.
const LeaseTerm = 20 * time.Second

// Lease lets one of many nodes do continuous work. It is not safe for concurrent use.
type Lease struct {
	db         *db.DB
	name, node string
	until      time.Time // zero when not held
}

// NewLease returns a lease with the name for the node. Every process needs its own node name.
func NewLease(d *db.DB, name, node string) *Lease { return &Lease{db: d, name: name, node: node} }

// Hold acquires the lease, or renews it when half of it is over. It returns false when another node
// holds it. A lease that is held lasts for at least half of LeaseTerm. Hold writes nothing while
// another node holds the lease, and does not use the database while its own lease is fresh.
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

// Release gives up the lease, so that another node can acquire it at once.
func (l *Lease) Release(ctx context.Context) error {
	l.until = time.Time{}
	return l.db.Write(ctx, func(tx *db.Tx) error { return release(tx, l.name, l.node) })
}

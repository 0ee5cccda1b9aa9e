package db

import (
	"context"
	"errors"
	"sync"
)

// Pending is an operation whose transaction is still open. It belongs to one goroutine.
type Pending struct {
	tx      *Tx
	opened  chan struct{}
	verdict chan error // how its owner ends it
	done    chan struct{}
	err     error // after done: why nothing of it is stored

	mutex sync.Mutex // held by whoever uses tx or ends it
	over  bool
}

var errRolledBack = errors.New("the operation was rolled back")

// Begin runs an operation as Write does and leaves its transaction open, for its owner to go on with and to end by
// Commit or Rollback. When ctx ends before that, nothing of it is stored. On SQLite no other write happens meanwhile,
// so nothing slow may: no network, no hashing, and no other Write, which would wait for this one.
func (d *DB) Begin(ctx context.Context, run func(tx *Tx) error) (*Pending, error) {
	p := &Pending{opened: make(chan struct{}), verdict: make(chan error, 1), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.err = d.Write(ctx, func(tx *Tx) error { return p.hold(ctx, tx, run) })
	}()
	select {
	case <-p.opened:
		return p, nil
	case <-p.done:
		return nil, p.err
	}
}

// hold is the operation that Write knows: it ends when its owner ends it. An owner cannot be asked to do it again
// after the transaction was lost.
func (p *Pending) hold(ctx context.Context, tx *Tx, run func(*Tx) error) error {
	if p.tx != nil {
		return ErrBusy
	}
	if err := run(tx); err != nil {
		return err
	}
	p.tx = tx
	close(p.opened)
	select {
	case verdict := <-p.verdict:
		return verdict
	case <-ctx.Done():
		p.mutex.Lock() // what the owner does in this moment comes to its end
		defer p.mutex.Unlock()
		p.over = true
		return ended(ctx)
	}
}

// Read goes on reading inside the operation.
func (p *Pending) Read(run func(tx *Tx) error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.over {
		return ErrBusy
	}
	err := protect(p.tx, run)
	if retryable(err) { // by the caller: the transaction is lost, and what came before cannot be run again from here
		return ErrBusy.WithCause(err)
	}
	return p.tx.db.engine.classify(err)
}

// Write goes on with the operation. When run returns an error nothing of the whole operation is stored.
func (p *Pending) Write(run func(tx *Tx) error) error {
	err := p.Read(run)
	if err != nil {
		p.end(err)
	}
	return err
}

// Commit ends the operation and returns after its commit is durable, or tells why nothing of it is stored.
func (p *Pending) Commit() error {
	p.end(nil)
	<-p.done
	return p.err
}

// Rollback ends the operation, of which nothing is stored, unless it has ended.
func (p *Pending) Rollback() {
	p.end(errRolledBack)
	<-p.done
}

func (p *Pending) end(verdict error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.over {
		p.over = true
		p.verdict <- verdict
	}
}

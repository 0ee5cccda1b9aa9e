package db

import (
	"context"
	"errors"
	"sync"
)

// Pending is an operation whose transaction is still open. One goroutine uses it.
type Pending struct {
	tx      *Tx
	opened  chan struct{}
	verdict chan error // nil to commit
	done    chan struct{}
	err     error // after done: why nothing of it is stored

	mutex sync.Mutex // held while tx is used, and to end it
	over  bool
}

var errRolledBack = errors.New("the operation was rolled back")

// Begin runs an operation as Write does, and leaves its transaction open until Commit or Rollback. If ctx ends
// before that, nothing is stored. On SQLite no other write happens in the meantime. So the caller must not do
// anything slow: no network, no hashing, and no other Write, which would wait for this one.
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

// hold is the operation that Write runs. It ends with Commit or Rollback, and cannot be repeated after its
// transaction was lost.
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
		p.mutex.Lock() // waits for a Read or Write that is running
		defer p.mutex.Unlock()
		p.over = true
		return WaitError(ctx)
	}
}

// Read continues the operation with reads.
func (p *Pending) Read(run func(tx *Tx) error) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.over {
		return ErrBusy
	}
	err := Protect(p.tx, run)
	if p.tx.db.engine.Retryable(err) { // by the caller, who has to begin again: the transaction is lost
		return ErrBusy.WithCause(err)
	}
	return p.tx.db.engine.Classify(err)
}

// Write continues the operation. If run returns an error, nothing of the whole operation is stored.
func (p *Pending) Write(run func(tx *Tx) error) error {
	err := p.Read(run)
	if err != nil {
		p.end(err)
	}
	return err
}

// Commit ends the operation and returns after its commit is durable. An error means that nothing is stored.
func (p *Pending) Commit() error {
	p.end(nil)
	<-p.done
	return p.err
}

// Rollback ends the operation and stores nothing, unless it has ended already.
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

package db

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Outcome is the result of one call of a batch. A call with an Err has written nothing.
type Outcome[Out any] struct {
	Value Out
	Err   error
}

// Batch groups concurrent calls of one operation. Calls that arrive while a batch runs form the next one,
// GroupLimit at most. No call is delayed to wait for others.
type Batch[In, Out any] struct {
	db      *DB
	do      func(ctx context.Context, run func(tx *Tx) error) error // Write or Read
	run     func(tx *Tx, calls []In) ([]Outcome[Out], error)
	queue   chan *call[In, Out]
	closed  chan struct{}
	stopped sync.WaitGroup
}

type call[In, Out any] struct {
	ticket
	in      In
	outcome Outcome[Out]
}

// ticket decides whether a waiting call is run or withdrawn, and reports its end.
type ticket struct {
	taken atomic.Bool
	done  chan struct{}
}

// take returns true to the first caller only: to the goroutine that runs the call, or to the client that
// withdraws it.
func (t *ticket) take() bool { return t.taken.CompareAndSwap(false, true) }

// await waits for the end of the call. A ctx that ends before the call was taken withdraws it.
func (t *ticket) await(ctx context.Context) error {
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		if t.take() {
			return waitError(ctx)
		}
		<-t.done // it is running: its outcome counts
		return nil
	}
}

// NewBatch starts a batch. run decides all calls, in order of arrival, and returns one outcome for each. An
// error of run rolls back the whole batch. Its calls are then run one by one, so that a defect in one does not
// affect the others.
func NewBatch[In, Out any](d *DB, run func(tx *Tx, calls []In) ([]Outcome[Out], error)) *Batch[In, Out] {
	return newBatch(d, 1, d.Write, run)
}

// readBatches is how many batches of one reading operation run at once. Writing ones run one after the other,
// as their commits do.
const readBatches = 2

// NewReadBatch starts a batch of a reading operation. A call sees everything that was committed when it began.
// run must use no other transaction than its tx, because it may hold a connection. A panic is an error of the
// batch, as it is in a write, because no request's goroutine runs it.
func NewReadBatch[In, Out any](d *DB, run func(tx *Tx, calls []In) ([]Outcome[Out], error)) *Batch[In, Out] {
	read := func(ctx context.Context, run func(*Tx) error) error {
		return d.readBatch(ctx, func(tx *Tx) error { return protect(tx, run) })
	}
	return newBatch(d, readBatches, read, run)
}

func newBatch[In, Out any](d *DB, atOnce int, do func(context.Context, func(*Tx) error) error,
	run func(tx *Tx, calls []In) ([]Outcome[Out], error)) *Batch[In, Out] {
	b := &Batch[In, Out]{
		db: d, do: do, run: run, queue: make(chan *call[In, Out], QueueLimit), closed: make(chan struct{}),
	}
	for range atOnce {
		b.stopped.Go(b.loop)
	}
	d.beforeClose(func() { close(b.closed); b.stopped.Wait() })
	return b
}

// Do adds a call and waits until its outcome is durable. It returns ErrBusy if the queue is full.
func (b *Batch[In, Out]) Do(ctx context.Context, in In) (Out, error) {
	c := &call[In, Out]{in: in, ticket: ticket{done: make(chan struct{})}}
	select {
	case <-b.closed:
		return c.outcome.Value, ErrBusy
	default:
	}
	select {
	case b.queue <- c:
	default:
		return c.outcome.Value, ErrBusy
	}
	if err := c.await(ctx); err != nil {
		var none Out
		return none, err
	}
	return c.outcome.Value, c.outcome.Err
}

func (b *Batch[In, Out]) loop() {
	for {
		select {
		case <-b.closed:
			b.refuseWaiting()
			return
		case first := <-b.queue:
			// Callers that only wait for a processor join this batch: a larger one costs less per call. If there
			// are none, this takes no time.
			runtime.Gosched()
			b.runBatch(b.drain(first))
		}
	}
}

func (b *Batch[In, Out]) refuseWaiting() {
	for {
		select {
		case c := <-b.queue:
			if c.take() {
				c.outcome.Err = ErrBusy
				close(c.done)
			}
		default:
			return
		}
	}
}

func (b *Batch[In, Out]) drain(first *call[In, Out]) []*call[In, Out] {
	set := make([]*call[In, Out], 0, 64)
	for c := first; ; {
		if c.take() {
			set = append(set, c)
		}
		if len(set) == GroupLimit {
			return set
		}
		select {
		case c = <-b.queue:
		default:
			return set
		}
	}
}

func (b *Batch[In, Out]) runBatch(set []*call[In, Out]) {
	if len(set) == 0 {
		return
	}
	b.db.counted.batches.Add(1)
	b.db.counted.batchCalls.Add(int64(len(set)))
	outcomes, err := b.attempt(set)
	switch {
	case err == nil:
		for i, c := range set {
			c.outcome = outcomes[i]
			close(c.done)
		}
	case len(set) == 1:
		set[0].outcome.Err = err
		close(set[0].done)
	default:
		b.db.log.Warn("a batch failed; its calls run again one by one", "calls", len(set), "error", err)
		for i := range set {
			b.runBatch(set[i : i+1])
		}
	}
}

func (b *Batch[In, Out]) attempt(set []*call[In, Out]) ([]Outcome[Out], error) {
	calls := make([]In, len(set))
	for i, c := range set {
		calls[i] = c.in
	}
	var outcomes []Outcome[Out]
	err := b.do(context.Background(), func(tx *Tx) (err error) {
		outcomes, err = b.run(tx, calls)
		if err == nil && len(outcomes) != len(calls) {
			err = fmt.Errorf("a batch of %d calls has %d outcomes", len(calls), len(outcomes))
		}
		return err
	})
	return outcomes, err
}

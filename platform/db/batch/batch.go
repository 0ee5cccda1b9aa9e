// Package batch groups concurrent operations, so that they share a transaction or a commit.
package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"punchcard/platform/db"
	"punchcard/platform/trace"
)

// Outcome is the result of one call of a batch. A call with an Err has written nothing.
type Outcome[Out any] struct {
	Value Out
	Err   error
}

// ErrApart is returned by an operation whose calls have to run one by one.
var ErrApart = errors.New("batch: the calls have to run one by one")

// Batch groups concurrent calls of one operation. Calls that arrive while a batch runs form the next one,
// db.GroupLimit at most. No call is delayed to wait for others.
type Batch[In, Out any] struct {
	db    *db.DB
	do    func(ctx context.Context, run func(tx *db.Tx) error) error // Write or Read
	run   func(tx *db.Tx, calls []In) ([]Outcome[Out], error)
	queue *Queue[*call[In, Out]]
}

type call[In, Out any] struct {
	Ticket
	ctx     context.Context // of the caller, for traces only
	in      In
	outcome Outcome[Out]
}

// New starts a batch. run decides all calls, in order of arrival, and returns one outcome for each. An
// error of run rolls back the whole batch. Its calls are then run one by one, so that a defect in one does not
// affect the others.
func New[In, Out any](d *db.DB, run func(tx *db.Tx, calls []In) ([]Outcome[Out], error)) *Batch[In, Out] {
	return start(d, 1, d.Write, run)
}

// readBatches is how many batches of one reading operation run at once. Writing ones run one after the other,
// as their commits do.
const readBatches = 2

// NewRead starts a batch of a reading operation. A call sees everything that was committed when it began.
// run must use no other transaction than its tx, because it may hold a connection. A panic is an error of the
// batch, as it is in a write, because no request's goroutine runs it.
func NewRead[In, Out any](d *db.DB, run func(tx *db.Tx, calls []In) ([]Outcome[Out], error)) *Batch[In, Out] {
	read := func(ctx context.Context, run func(*db.Tx) error) error {
		return d.ReadBatch(ctx, func(tx *db.Tx) error { return db.Protect(tx, run) })
	}
	return start(d, readBatches, read, run)
}

func start[In, Out any](d *db.DB, atOnce int, do func(context.Context, func(*db.Tx) error) error,
	run func(tx *db.Tx, calls []In) ([]Outcome[Out], error)) *Batch[In, Out] {
	b := &Batch[In, Out]{db: d, do: do, run: run, queue: NewQueue[*call[In, Out]]()}
	var running sync.WaitGroup
	for range atOnce {
		running.Go(func() { b.queue.Run(b.gather, b.runBatch) })
	}
	d.BeforeClose(func() {
		b.queue.Close()
		running.Wait()
		b.queue.Refuse(func(c *call[In, Out]) {
			c.outcome.Err = db.ErrBusy
			c.Done()
		})
	})
	return b
}

// smallBatch is how many calls make a batch worth starting at once. Larger ones cost little less for each call, and
// the writer would be idle meanwhile.
const smallBatch = 16

// gather lets callers that only wait for a processor join a small batch, because a larger one costs less for each
// call. If there are none, Gosched takes no time.
func (b *Batch[In, Out]) gather() {
	if b.queue.Len() < smallBatch {
		runtime.Gosched()
	}
}

// Do adds a call and waits until its outcome is durable. It returns ErrBusy if the queue is full.
func (b *Batch[In, Out]) Do(ctx context.Context, in In) (Out, error) {
	if db.IsDry(ctx) {
		return b.alone(ctx, in)
	}
	c := &call[In, Out]{ctx: ctx, in: in}
	if err := b.queue.Do(ctx, c); err != nil {
		var none Out
		return none, err
	}
	return c.outcome.Value, c.outcome.Err
}

// alone runs a call of a dry run, which shares no transaction with others. A call with an Err has written nothing.
func (b *Batch[In, Out]) alone(ctx context.Context, in In) (value Out, err error) {
	outcomes, err := b.attempt(ctx, []In{in})
	if err != nil {
		return value, err
	}
	return outcomes[0].Value, outcomes[0].Err
}

func (b *Batch[In, Out]) runBatch(set []*call[In, Out]) {
	b.db.CountBatch(len(set))
	span := b.span(set)
	calls := make([]In, len(set))
	for i, c := range set {
		calls[i] = c.in
	}
	outcomes, err := b.attempt(context.Background(), calls)
	span.End(err)
	switch {
	case err == nil:
		for i, c := range set {
			c.outcome = outcomes[i]
			c.Done()
		}
	case len(set) == 1:
		set[0].outcome.Err = err
		set[0].Done()
	default:
		if !errors.Is(err, ErrApart) {
			b.db.Log().Warn("a batch failed; its calls run again one by one", "calls", len(set), "error", err)
		}
		for i := range set {
			b.runBatch(set[i : i+1])
		}
	}
}

// span begins the span of a batch, if there are traces.
func (b *Batch[In, Out]) span(set []*call[In, Out]) *trace.Span {
	if b.db.Tracer() == nil {
		return nil
	}
	callers := make([]context.Context, len(set))
	for i, c := range set {
		callers[i] = c.ctx
	}
	return b.db.Tracer().Batch("database batch", fmt.Sprintf("%T", set[0].in), callers)
}

func (b *Batch[In, Out]) attempt(ctx context.Context, calls []In) ([]Outcome[Out], error) {
	var outcomes []Outcome[Out]
	err := b.do(ctx, func(tx *db.Tx) (err error) {
		outcomes, err = b.run(tx, calls)
		if err == nil && len(outcomes) != len(calls) {
			err = fmt.Errorf("a batch of %d calls has %d outcomes", len(calls), len(outcomes))
		}
		return err
	})
	return outcomes, err
}

package batch

import (
	"context"
	"sync/atomic"

	"punchcard/platform/db"
)

// Ticket is the state of a waiting item: whether it is run or withdrawn, and its end. The zero value is a new item.
type Ticket struct {
	taken atomic.Bool
	done  chan struct{}
}

func (t *Ticket) ticket() *Ticket { return t }

// Done ends the wait of the item's caller.
func (t *Ticket) Done() { close(t.done) }

// take returns true to the first caller only: to the goroutine that runs the item, or to the client that
// withdraws it.
func (t *Ticket) take() bool { return t.taken.CompareAndSwap(false, true) }

// await waits for the end of the item. A ctx that ends before the item was taken withdraws it.
func (t *Ticket) await(ctx context.Context) error {
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		if t.take() {
			return db.WaitError(ctx)
		}
		<-t.done // it is running: its outcome counts
		return nil
	}
}

// Item is an element of a queue. It embeds a Ticket.
type Item interface{ ticket() *Ticket }

// Queue collects items while others run. Those that wait at the same time form a group.
type Queue[T Item] struct {
	items  chan T
	closed chan struct{}
}

// NewQueue returns an empty queue.
func NewQueue[T Item]() *Queue[T] {
	return &Queue[T]{items: make(chan T, db.QueueLimit), closed: make(chan struct{})}
}

// Len is the number of waiting items.
func (q *Queue[T]) Len() int { return len(q.items) }

// Do adds an item and waits until its Done is called. It returns ErrBusy if the queue is full or closed. A ctx that
// ends while the item waits withdraws it.
func (q *Queue[T]) Do(ctx context.Context, item T) error {
	t := item.ticket()
	t.done = make(chan struct{})
	select {
	case <-q.closed:
		return db.ErrBusy
	default:
	}
	select {
	case q.items <- item:
	default:
		return db.ErrBusy
	}
	return t.await(ctx)
}

// Run passes groups of at most db.GroupLimit items to run, until the queue is closed. ready is called when there is an
// item, before the others are collected. run calls Done of each item.
func (q *Queue[T]) Run(ready func(), run func(group []T)) {
	for {
		select {
		case <-q.closed:
			return
		case first := <-q.items:
			ready()
			if group := q.drain(first); len(group) > 0 {
				run(group)
			}
		}
	}
}

// drain takes the items that wait now. It leaves out those that were withdrawn.
func (q *Queue[T]) drain(first T) []T {
	group := make([]T, 0, 64)
	for item := first; ; {
		if item.ticket().take() {
			group = append(group, item)
		}
		if len(group) == db.GroupLimit {
			return group
		}
		select {
		case item = <-q.items:
		default:
			return group
		}
	}
}

// Close ends Run after the running group.
func (q *Queue[T]) Close() { close(q.closed) }

// Refuse passes the items that still wait in a closed queue to refuse, which calls Done of each.
func (q *Queue[T]) Refuse(refuse func(T)) {
	for {
		select {
		case item := <-q.items:
			if item.ticket().take() {
				refuse(item)
			}
		default:
			return
		}
	}
}

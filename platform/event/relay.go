package event

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// The pace of the relay. Requests come first: it rests after each chunk, so it takes less than half of
// one processor, and a burst is relayed a little later than it was made.
const (
	// ChunkEvents and ChunkBytes bound what is read and published at once; one event may exceed the bytes.
	ChunkEvents = 500
	ChunkBytes  = 4 << 20

	// RefillLimit is how many events are sent again, the newest, to a queue that lost what it had.
	RefillLimit = 100_000

	relayEvery  = time.Second            // looks for events of other nodes and of lost nudges
	shortRest   = 100 * time.Millisecond // after a chunk that was not full: lets the next one grow
	longestRest = time.Second
	lagTimeout  = time.Second     // for the question how long events wait; less than the health check has
	ackTimeout  = 5 * time.Second // for a chunk; less than half of a lease
	firstRetry  = 100 * time.Millisecond
	lastRetry   = 30 * time.Second
)

// Lease makes sure that one relay works among those of many nodes.
type Lease interface {
	// Hold takes the lease, or renews it when that is due; false means that another node has it. A lease
	// that is held lasts for ten more seconds at least.
	Hold(ctx context.Context) (bool, error)
	// Release lets another node have the lease at once.
	Release(ctx context.Context) error
}

// Relay publishes every event to the message queue, in the order of ids and each at least once; the id of
// the message is that of the event. It runs on every node, and works on the one that has the lease.
type Relay struct {
	db    *db.DB
	queue *Queue
	lease Lease
	nudge chan struct{}
	last  atomic.Value // outcome of what the queue was asked last

	databaseFails atomic.Bool // the last round was stopped by the database

	// What follows is the running loop's.
	checked    bool   // the queue was compared with the database since this process connected to it
	connection uint64 // which connection that was, counted by the reconnections
	inStep     bool   // relayed and sequence are where the stream ends
	relayed    int64  // id of the last event in the queue, as the cursor says
	sequence   uint64 // the stream's number of that message
}

type outcome struct{ err error }

// NewRelay makes a relay from d to queue that works while it has the lease. Run starts it.
func NewRelay(d *db.DB, queue *Queue, lease Lease) *Relay {
	r := &Relay{db: d, queue: queue, lease: lease, nudge: make(chan struct{}, 1)}
	d.OnCommit(func() {
		select {
		case r.nudge <- struct{}{}:
		default: // nudged already
		}
	})
	return r
}

// Ping fails when the message queue does not work, or does not take what this node relays.
func (r *Relay) Ping(ctx context.Context) error {
	if err := r.queue.Ping(ctx); err != nil {
		return err
	}
	last, _ := r.last.Load().(outcome)
	return last.err
}

// Check fails as Ping does, and when an event waits for the message queue for longer than the limit; 0 is no limit.
// Events that wait because the database does not work are no problem of the message queue.
func (r *Relay) Check(limit time.Duration) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		if err := r.Ping(ctx); err != nil || limit == 0 || r.databaseFails.Load() {
			return err
		}
		ctx, cancel := context.WithTimeout(ctx, lagTimeout)
		defer cancel()
		_, age, err := Lag(ctx, r.db)
		switch {
		case fault.KindOf(err) == fault.Unavailable, ctx.Err() != nil:
			return nil
		case err == nil && age > limit:
			return fmt.Errorf("an event waits for the message queue since %v", age)
		}
		return err
	}
}

// Run relays until ctx ends; then it finishes its chunk and gives the lease back.
func (r *Relay) Run(ctx context.Context) {
	ticker := time.NewTicker(relayEvery)
	defer ticker.Stop()
	for failures := 0; ctx.Err() == nil; {
		began := r.db.Now()
		state, err := r.round(ctx)
		if err == nil {
			failures = 0
		}
		databaseFails := fault.KindOf(err) == fault.Unavailable
		if databaseFails {
			_ = r.note(nil) // what the queue answered before is out of date
		}
		r.databaseFails.Store(databaseFails)
		switch state {
		case failed:
			r.inStep = false
			if ctx.Err() != nil {
				break
			}
			pause := retryDelay(failures)
			failures++
			r.db.Log().Warn("events are not relayed", "retry", pause.String(), "error", err)
			await(ctx, time.After(pause), nil)
		case standby:
			r.inStep = false
			_ = r.note(nil)           // the other node tells its own problems
			await(ctx, ticker.C, nil) // commits here are the other node's work
		case idle:
			await(ctx, ticker.C, r.nudge)
		default:
			await(ctx, time.After(rest(state, r.db.Now().Sub(began))), nil)
		}
	}
	if err := r.lease.Release(context.WithoutCancel(ctx)); err != nil {
		r.db.Log().Warn("the lease of the relay stays until it runs out", "error", err)
	}
}

// note keeps what the queue answered, for Ping.
func (r *Relay) note(err error) error {
	r.last.Store(outcome{err})
	return err
}

func await(ctx context.Context, timer <-chan time.Time, nudge <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-timer:
	case <-nudge:
	}
}

// state is what a round found.
type state int

const (
	failed  state = iota
	idle          // everything is relayed
	standby       // another node has the lease
	partial       // a chunk was relayed, the last there was
	full          // a chunk was relayed, and there are more
)

// rest is as long as the work took, so that requests have the processor at least as much as the relay.
func rest(after state, took time.Duration) time.Duration {
	if after == partial {
		took = max(took, shortRest)
	}
	return min(max(took, 0), longestRest) // a clock that was set makes odd durations
}

// retryDelay doubles from firstRetry to lastRetry.
func retryDelay(attempt int) time.Duration { return min(firstRetry<<min(attempt, 20), lastRetry) }

func (r *Relay) round(ctx context.Context) (state, error) {
	reconnections := r.queue.conn.Stats().Reconnects
	if reconnections != r.connection { // the server may have come back with less than it had
		r.connection, r.checked, r.inStep = reconnections, false, false
	}
	now, err := progress(ctx, r.db)
	if err != nil {
		return failed, err
	}
	if now.relayed == now.newest && !now.waiting && r.checked {
		return idle, nil
	}
	held, err := r.lease.Hold(ctx)
	if err != nil {
		return failed, err
	}
	if !held {
		return standby, nil
	}
	if now.waiting {
		if _, err := numberWaiting(ctx, r.db); err != nil {
			return failed, err
		}
	}
	if !r.inStep {
		if err := r.align(ctx); err != nil {
			return failed, err
		}
	}
	return r.relayChunk(ctx)
}

func (r *Relay) relayChunk(ctx context.Context) (state, error) {
	events, more, err := After(ctx, r.db, r.relayed, ChunkEvents)
	if err != nil {
		return failed, err
	}
	if len(events) == 0 {
		return idle, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ackTimeout)
	defer cancel()
	if err := r.note(r.queue.publish(ctx, events, r.sequence)); err != nil {
		return failed, err
	}
	r.sequence += uint64(len(events))
	if err := r.moveTo(ctx, events[len(events)-1].ID); err != nil {
		return failed, err
	}
	if more {
		return full, nil
	}
	return partial, nil
}

// align finds out where to go on: after the last message of the stream when that is an event of this
// database. A relay that stopped before it stored its cursor repeats nothing then, and what the stream
// lost by a power cut is sent again. A stream that ends with something else tells nothing: it may have
// dropped old messages, so the cursor counts.
func (r *Relay) align(ctx context.Context) error {
	sequence, id, last, err := r.queue.end(ctx)
	if r.note(err) != nil {
		return err
	}
	var known Event
	var found bool
	var newest int64
	err = r.db.Read(ctx, func(tx *db.Tx) error {
		if r.relayed, newest, err = cursorAndNewest(tx); err == nil && id > 0 {
			known, found, err = find(tx, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	position := r.relayed
	if (found && same(last, &known)) || sequence == 0 { // of a new stream, id is 0
		position = max(id, min(r.relayed, newest-RefillLimit))
	}
	if position < r.relayed {
		r.db.Log().Warn("the message queue lost events, which are relayed again",
			"after", position, "to", r.relayed)
	}
	if position != r.relayed {
		if err := r.moveTo(ctx, position); err != nil {
			return err
		}
	}
	r.sequence, r.inStep, r.checked = sequence, true, true
	return nil
}

// same tells whether a message of the queue was made from the event. Ids alone do not: a database that
// was restored gives them again.
func same(m *jetstream.RawStreamMsg, e *Event) bool {
	made := message(e, int64(len(e.Payload))+headerBytes)
	for _, name := range [...]string{headerType, headerAggregate, headerRecordedAt} {
		if m.Header.Get(name) != made.Header.Get(name) {
			return false
		}
	}
	return m.Subject == made.Subject && (m.Header.Get(headerOmitted) != "" || bytes.Equal(m.Data, made.Data))
}

var errOvertaken = errors.New("another node relays events too")

// moveTo stores how far the relay has come, unless another node moved the cursor meanwhile.
func (r *Relay) moveTo(ctx context.Context, id int64) error {
	err := r.db.Write(ctx, func(tx *db.Tx) error {
		moved, err := tx.Exec(
			`UPDATE event_cursors SET last_id = $1 WHERE name = 'relay' AND last_id = $2`, id, r.relayed)
		if err == nil && moved == 0 {
			err = errOvertaken
		}
		return err
	})
	if err == nil {
		r.relayed = id
	}
	return err
}

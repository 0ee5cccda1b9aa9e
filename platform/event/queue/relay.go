package queue

import (
	"context"
	"sync/atomic"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// The limits and intervals of the relay. It pauses after each chunk and so uses less than half of
// one processor, because requests have priority. A burst is relayed with some delay.
const (
	// ChunkEvents limits what is read and published at once, as event.ChunkBytes does.
	ChunkEvents = 500

	// RefillLimit is how many of the newest events are sent again to a queue that lost its messages,
	// or to one that the database had not so far.
	RefillLimit = 100_000

	relayEvery  = time.Second            // interval of reads for events of other nodes, and for clients
	shortRest   = 100 * time.Millisecond // minimum after a partial chunk, so that the next one is larger
	longestRest = time.Second
	ackTimeout  = 5 * time.Second // for a chunk; less than half of a lease
	firstRetry  = 100 * time.Millisecond
	lastRetry   = 30 * time.Second
)

// Lease ensures that only one of many nodes relays.
type Lease interface {
	// Hold acquires the lease, or renews it when that is due. It returns false when another node
	// holds it. A lease that is held lasts for at least ten more seconds.
	Hold(ctx context.Context) (bool, error)
	// Release gives up the lease, so that another node can acquire it at once.
	Release(ctx context.Context) error
}

// Relay publishes every event to the message queue in the order of ids, each at least once. The id
// of the message is that of the event. It runs on every node, and works on the one that holds the
// lease.
type Relay struct {
	db    *db.DB
	queue *Queue
	lease Lease
	nudge chan struct{}
	last  atomic.Value // outcome of the last use of the queue

	databaseFails atomic.Bool // the last round failed because of the database

	// The following fields belong to the goroutine of Run.
	checked    bool   // align has run since the last connect
	connection uint64 // number of reconnections at that time
	inStep     bool   // relayed and sequence match the end of the stream
	relayed    int64  // id of the last event in the queue, as the cursor says
	sequence   uint64 // the stream's number of that message
}

type outcome struct{ err error }

// NewRelay returns a relay from d to queue that works while it holds the lease. Run starts it.
func NewRelay(d *db.DB, queue *Queue, lease Lease) *Relay {
	r := &Relay{db: d, queue: queue, lease: lease, nudge: make(chan struct{}, 1)}
	d.OnCommit(func() {
		select {
		case r.nudge <- struct{}{}:
		default: // a wake-up is pending already
		}
	})
	return r
}

// Ping fails when the message queue does not work, or has refused what this node relays.
func (r *Relay) Ping(ctx context.Context) error {
	if err := r.queue.Ping(ctx); err != nil {
		return err
	}
	last, _ := r.last.Load().(outcome)
	return last.err
}

// Check fails as Ping does, and when the oldest unpublished event is older than the limit. 0 means no
// limit. A delay caused by the database is not a problem of the queue.
func (r *Relay) Check(ctx context.Context, limit time.Duration) error {
	if err := r.Ping(ctx); err != nil || r.databaseFails.Load() {
		return err
	}
	return event.Lag.Check(ctx, r.db, limit)
}

// Run relays until ctx ends. Then it finishes its chunk and releases the lease.
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
			_ = r.note(nil) // the queue's last outcome is out of date
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
			r.db.Log().Warn("cannot relay events", "retry", pause.String(), "error", err)
			await(ctx, time.After(pause), nil)
		case standby:
			r.inStep = false
			_ = r.note(nil)           // the other node reports its own problems
			await(ctx, ticker.C, nil) // the other node relays commits of this node
		case idle:
			await(ctx, ticker.C, r.nudge)
		default:
			await(ctx, time.After(rest(state, r.db.Now().Sub(began))), nil)
		}
	}
	if err := r.lease.Release(context.WithoutCancel(ctx)); err != nil {
		r.db.Log().Warn("cannot release the relay lease; it lasts until it expires", "error", err)
	}
}

// note stores the outcome of using the queue, for Ping.
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

// state is the result of a round.
type state int

const (
	failed  state = iota
	idle          // everything is relayed
	standby       // another node has the lease
	partial       // the last chunk was relayed
	full          // a chunk was relayed, and there are more
)

// rest returns how long to pause: as long as the work took, so that requests get at least half of
// the processor.
func rest(after state, took time.Duration) time.Duration {
	if after == partial {
		took = max(took, shortRest)
	}
	return min(max(took, 0), longestRest) // durations are wrong after the clock was set
}

// retryDelay doubles from firstRetry to lastRetry.
func retryDelay(attempt int) time.Duration { return min(firstRetry<<min(attempt, 20), lastRetry) }

func (r *Relay) round(ctx context.Context) (state, error) {
	reconnections := r.queue.conn.Stats().Reconnects
	if reconnections != r.connection { // the server may have lost messages
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
		if _, err := event.Number(ctx, r.db); err != nil {
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
	events, more, err := event.After(ctx, r.db, r.relayed, ChunkEvents)
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

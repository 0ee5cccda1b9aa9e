package password

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"punchcard/platform/fault"
)

// queue gives out cores, and limits concurrent hashes to their number, and with it their memory. Clients take turns:
// however many hashes one waits for, another one waits for one of them at most.
type queue struct {
	mutex   sync.Mutex
	free    int                        // cores
	waiting map[string][]chan struct{} // by client, the oldest first; closed when it is their turn
	turns   []string                   // the clients that wait, in the order of their next turn
}

var cores = newQueue(runtime.NumCPU())

func newQueue(free int) *queue { return &queue{free: free, waiting: map[string][]chan struct{}{}} }

type clientKey struct{}

// WithClient returns a context whose hashes are those of a client, such as a network. Those of no client share a turn.
func WithClient(ctx context.Context, client string) context.Context {
	return context.WithValue(ctx, clientKey{}, client)
}

// enter waits for a core, until ctx ends or WaitLimit has passed.
func (q *queue) enter(ctx context.Context) error {
	client, _ := ctx.Value(clientKey{}).(string)
	turn := q.line(client)
	if turn == nil {
		return nil
	}
	limit := time.NewTimer(WaitLimit)
	defer limit.Stop()
	select {
	case <-turn:
		return nil
	case <-limit.C:
	case <-ctx.Done():
	}
	q.abandon(client, turn)
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fault.ErrBusy
}

// line takes a free core and returns nil, or returns what is closed when it is the client's turn.
func (q *queue) line(client string) (turn chan struct{}) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.free > 0 {
		q.free--
		return nil
	}
	turn = make(chan struct{})
	if len(q.waiting[client]) == 0 {
		q.turns = append(q.turns, client)
	}
	q.waiting[client] = append(q.waiting[client], turn)
	return turn
}

// abandon takes back a wait, or leaves if it ended meanwhile.
func (q *queue) abandon(client string, turn chan struct{}) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	at := slices.Index(q.waiting[client], turn)
	if at < 0 {
		q.pass()
		return
	}
	q.remove(client, at)
	if len(q.waiting[client]) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(one string) bool { return one == client })
	}
}

func (q *queue) remove(client string, at int) {
	if q.waiting[client] = slices.Delete(q.waiting[client], at, at+1); len(q.waiting[client]) == 0 {
		delete(q.waiting, client)
	}
}

func (q *queue) leave() {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.pass()
}

// pass gives a core to the client whose turn it is, which has its next one after the others. The queue is locked.
func (q *queue) pass() {
	if len(q.turns) == 0 {
		q.free++
		return
	}
	client := q.turns[0]
	q.turns = q.turns[1:]
	close(q.waiting[client][0])
	if q.remove(client, 0); len(q.waiting[client]) > 0 {
		q.turns = append(q.turns, client)
	}
}

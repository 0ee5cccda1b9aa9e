package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"punchcard/app/apptest"
	events "punchcard/platform/event/queue"
	"punchcard/platform/event/queue/natstest"
)

// queue is a NATS server in this process, behind a proxy.
type queue struct {
	server natstest.Server
	proxy  *apptest.Proxy
	conn   *nats.Conn // not through the proxy
	stream jetstream.JetStream

	checked int64 // id of the last event that disorder looked at
}

// startQueue starts an empty message queue whose files are in the folder.
func startQueue(folder string) (q *queue, err error) {
	q = &queue{}
	if q.server, err = natstest.Start(folder, -1); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, q.stop())
		}
	}()
	if q.proxy, err = apptest.StartProxy("tcp", q.server.Addr().String()); err != nil {
		return nil, err
	}
	if q.conn, err = nats.Connect("", nats.InProcessServer(q.server.Server)); err != nil {
		return nil, err
	}
	q.stream, err = jetstream.New(q.conn)
	return q, err
}

// flags returns the flags with the address of the message queue: none without a queue.
func (q *queue) flags() []string {
	if q == nil {
		return nil
	}
	return []string{"--nats", "nats://" + q.proxy.Address()}
}

func (q *queue) stop() error {
	var err error
	if q.proxy != nil {
		err = q.proxy.Stop()
	}
	if q.conn != nil {
		q.conn.Close()
	}
	q.server.Stop()
	return err
}

// disorder waits until the queue holds event to, and describes the first message since the last call
// that is out of order, or returns nothing. The queue was empty when the product started, so the
// number of a message must be the id of its event. This holds after a round without a queue, too, because
// a round records fewer than event.RefillLimit events.
func (q *queue) disorder(ctx context.Context, to int64) (string, error) {
	var stream jetstream.Stream
	err := poll(ctx, func() (_ bool, err error) {
		if stream, err = q.stream.Stream(ctx, events.StreamName); err != nil {
			return false, err
		}
		return stream.CachedInfo().State.LastSeq >= uint64(to), nil
	})
	if err != nil {
		return "", fmt.Errorf("the message queue does not receive event %d: %w", to, err)
	}
	from := q.checked + 1
	q.checked = to
	for number := from; number <= to; number++ {
		m, err := stream.GetMsg(ctx, uint64(number))
		if err != nil {
			return "", fmt.Errorf("message %d: %w", number, err)
		}
		if id := m.Header.Get(jetstream.MsgIDHeader); id != strconv.FormatInt(number, 10) {
			return fmt.Sprintf("message %d of the queue is event %s", number, id), nil
		}
	}
	return "", nil
}

package app

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"punchcard/platform/event"
	"punchcard/platform/event/queue"
	"punchcard/platform/job"
)

// removeQueue deletes the message queue that older versions kept in the data folder. Its events are in the database.
func (c *Database) removeQueue(log *slog.Logger) {
	folder := filepath.Join(c.Data, queueName)
	if err := os.RemoveAll(folder); err != nil {
		log.Warn("the message queue of an older version cannot be deleted; delete it", "folder", folder, "error", err)
	}
}

// openQueue connects to the message queue. Without --nats there is none: the result is nil.
func (c *Config) openQueue(ctx context.Context, log *slog.Logger) (q *queue.Queue, closeQueue func(), err error) {
	if c.NATS == "" {
		return nil, func() {}, nil
	}
	if q, err = queue.Open(ctx, queue.Config{URL: c.NATS, Log: log}); err != nil {
		return nil, nil, err
	}
	return q, q.Close, nil
}

// numberTimeout is how long the start waits for another node that numbers events.
const numberTimeout = 5 * time.Second

// numberWaiting numbers the events that waited while no node ran, as those of a restored backup, so that the first
// health check does not find them late.
func (s *server) numberWaiting(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, numberTimeout)
	defer cancel()
	if _, err := event.Number(ctx, s.db); err != nil {
		s.log.Warn("cannot number events", "error", err)
	}
}

// useQueue prepares the relay, and the signals to other nodes. q may be nil.
func (s *server) useQueue(ctx context.Context, q *queue.Queue, node string) error {
	lease := job.NewLease(s.db, "relay", node)
	if q == nil {
		return queue.ForgetCursor(ctx, s.db, lease)
	}
	s.relay = queue.NewRelay(s.db, q, lease)
	return s.auth.Share(q)
}

// backlog counts the events that wait: for the message queue or, without one, for their numbers.
func (c *Config) backlog() event.Backlog {
	if c.NATS == "" {
		return event.Unnumbered
	}
	return event.Lag
}

// probeQueue is the health check of the message queue.
func (s *server) probeQueue(ctx context.Context) error {
	if s.relay == nil {
		return s.config.backlog().Check(ctx, s.db, s.config.RelayLagLimit)
	}
	return s.relay.Check(ctx, s.config.RelayLagLimit)
}

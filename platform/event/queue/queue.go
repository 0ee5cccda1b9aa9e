// Package queue publishes events to NATS JetStream, and sends signals between the nodes that are connected to it.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The message queue: one JetStream stream with one message for each event.
const (
	// StreamName is the stream that holds the events.
	StreamName = "PUNCHCARD_EVENTS"
	// SubjectPrefix starts every subject. The store's key and the type of the event follow.
	SubjectPrefix = "punchcard.events."

	// DefaultMaxAge and DefaultMaxBytes limit the stream. The oldest messages are dropped first; the
	// database retains every event.
	DefaultMaxAge   = 7 * 24 * time.Hour
	DefaultMaxBytes = 512 << 20

	// duplicateWindow is how long the queue remembers message ids, at about 130 bytes each. It can
	// be short: after a crash the relay compares the last message instead.
	duplicateWindow = 10 * time.Second

	// replicas of a new stream in a cluster. With three, one server may be lost.
	replicas = 3

	connectTimeout = 5 * time.Second
	pingInterval   = 20 * time.Second // a connection is closed after two without a response
	drainTimeout   = 5 * time.Second
)

// Config configures the message queue.
type Config struct {
	URL      string        // nats://…, several separated by commas
	MaxAge   time.Duration // of a message; DefaultMaxAge when 0
	MaxBytes int64         // of all messages; DefaultMaxBytes when 0
	Log      *slog.Logger  // nil means silent
}

// Queue is a connection to the message queue.
type Queue struct {
	config Config
	conn   *nats.Conn
	stream jetstream.JetStream
	closed chan struct{}
}

// Open starts connecting to the queue. A queue that cannot be reached is not an error: the connection is retried
// without end, and Ping reports it.
func Open(ctx context.Context, config Config) (*Queue, error) {
	if config.MaxAge == 0 {
		config.MaxAge = DefaultMaxAge
	}
	if config.MaxBytes == 0 {
		config.MaxBytes = DefaultMaxBytes
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	q := &Queue{config: config, closed: make(chan struct{})}
	if err := q.connect(); err != nil {
		return nil, err
	}
	if _, err := q.ensureStream(ctx); err != nil {
		config.Log.Warn("message queue is not ready", "error", err)
	}
	return q, nil
}

func (q *Queue) connect() error {
	options := []nats.Option{
		nats.Name("punchcard"), nats.Timeout(connectTimeout), nats.PingInterval(pingInterval),
		nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true), nats.CustomReconnectDelay(retryDelay),
		nats.ReconnectBufSize(-1), // no buffer: failed messages are read from the database again
		nats.DrainTimeout(drainTimeout),
		nats.ClosedHandler(func(*nats.Conn) { close(q.closed) }),
		nats.ReconnectHandler(func(*nats.Conn) { q.config.Log.Info("message queue reconnected") }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				q.config.Log.Warn("message queue disconnected", "error", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			q.config.Log.Warn("message queue", "error", err)
		}),
	}
	var err error
	if q.conn, err = nats.Connect(q.config.URL, options...); err != nil {
		var address *url.Error
		if errors.As(err, &address) {
			err = address.Err // without the address, which may hold a password
		}
		return fmt.Errorf("connect to the message queue: %w", err)
	}
	q.stream, err = jetstream.New(q.conn)
	return err
}

// ensureStream returns the stream. It creates the stream, or updates its limits, if needed. It
// leaves replicas and placement of an existing stream to its operator.
func (q *Queue) ensureStream(ctx context.Context) (jetstream.Stream, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	stream, err := q.stream.Stream(ctx, StreamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return q.createStream(ctx)
	}
	if err != nil {
		return nil, err
	}
	present := stream.CachedInfo().Config
	if wanted := q.wanted(present); wanted.MaxAge != present.MaxAge || wanted.MaxBytes != present.MaxBytes ||
		wanted.Duplicates != present.Duplicates {
		return q.stream.UpdateStream(ctx, wanted)
	}
	return stream, nil
}

// createStream makes the stream, with fewer replicas if the cluster has not enough servers.
func (q *Queue) createStream(ctx context.Context) (jetstream.Stream, error) {
	config := q.wanted(jetstream.StreamConfig{
		Name: StreamName, Description: "Events of Punchcard, in the order of their ids",
		Storage: jetstream.FileStorage, Replicas: replicas,
	})
	stream, err := q.stream.CreateStream(ctx, config)
	if !lacksServers(err) {
		return stream, err
	}
	refused := err
	config.Replicas = 1
	if stream, err = q.stream.CreateStream(ctx, config); err == nil {
		q.config.Log.Warn("the stream has one replica, which is lost with its server: when the cluster has three "+
			"servers, run: nats stream update "+StreamName+" --replicas=3", "refused", refused)
	}
	return stream, err
}

// Codes of JetStream for a stream that needs more servers than there are.
const (
	errNoPeers    jetstream.ErrorCode = 10005 // in the cluster
	errNoReplicas jetstream.ErrorCode = 10074 // there is no cluster
)

func lacksServers(err error) bool {
	refused, is := errors.AsType[*jetstream.APIError](err)
	return is && (refused.ErrorCode == errNoPeers || refused.ErrorCode == errNoReplicas)
}

// wanted returns the configuration with the settings of this program.
func (q *Queue) wanted(config jetstream.StreamConfig) jetstream.StreamConfig {
	config.Subjects = []string{SubjectPrefix + ">"}
	config.Retention, config.Discard = jetstream.LimitsPolicy, jetstream.DiscardOld
	config.MaxAge, config.MaxBytes = q.config.MaxAge, q.config.MaxBytes
	config.Duplicates = min(duplicateWindow, q.config.MaxAge)
	return config
}

// Ping requests the stream from JetStream, which fails unless the queue works.
func (q *Queue) Ping(ctx context.Context) error {
	_, err := q.stream.Stream(ctx, StreamName)
	return err
}

// Close flushes pending messages, and disconnects.
func (q *Queue) Close() {
	if q.conn.Drain() != nil { // not connected
		q.conn.Close()
	}
	<-q.closed
}

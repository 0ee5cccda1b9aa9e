package event

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"punchcard/platform/disk"
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

	// replicas of a new stream in an external cluster. With three, one server may be lost.
	replicas = 3

	embeddedMaxPayload = 8 << 20  // bytes of one message; an external server has its own limit
	embeddedMemory     = 16 << 20 // bytes of in-memory streams; ours is on disk
	embeddedStore      = 1 << 40  // bytes of all streams on disk; ours has its own, lower limit

	embeddedStart  = 10 * time.Second // timeout for the embedded server to become ready
	connectTimeout = 5 * time.Second
	pingInterval   = 20 * time.Second // a connection is closed after two without a response
	drainTimeout   = 5 * time.Second
)

// QueueConfig configures the message queue.
type QueueConfig struct {
	URL      string        // nats://…, several separated by commas; empty starts a server inside this process
	Folder   string        // files of that server
	MaxAge   time.Duration // of a message; DefaultMaxAge when 0
	MaxBytes int64         // of all messages; DefaultMaxBytes when 0
	Log      *slog.Logger  // nil means silent
}

// Queue is a connection to the message queue and, when it is embedded, the server itself.
type Queue struct {
	config QueueConfig
	server *server.Server // nil when the queue is external
	said   *serverLog     // log of that server
	conn   *nats.Conn
	stream jetstream.JetStream
	closed chan struct{}
}

// OpenQueue starts the embedded queue, or starts connecting to the external one. An unreachable
// external queue is not an error: the connection is retried without end, and Ping reports it.
func OpenQueue(ctx context.Context, config QueueConfig) (*Queue, error) {
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
		q.stopServer()
		return nil, q.explain(err)
	}
	if _, err := q.ensureStream(ctx); err != nil {
		if q.server != nil {
			q.Close()
			return nil, q.explain(fmt.Errorf("message queue in %s: %w (%s)",
				config.Folder, err, q.said.lastProblem()))
		}
		config.Log.Warn("message queue is not ready", "error", err)
	}
	return q, nil
}

// explain adds to an error of the start which disk is full, if the embedded server has no room.
func (q *Queue) explain(err error) error {
	if q.server == nil {
		return err
	}
	return disk.Explain(q.config.Folder, err)
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
	if q.config.URL == "" {
		if err := q.startServer(); err != nil {
			return err
		}
		options = append(options, nats.InProcessServer(q.server))
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

// startServer starts with an empty folder. NATS syncs next to nothing, so what a power cut leaves there can lack
// messages in the middle; the relay fills the stream from the database.
func (q *Queue) startServer() error {
	err := os.RemoveAll(q.config.Folder)
	if err != nil {
		return fmt.Errorf("message queue: %w", err)
	}
	q.server, err = server.NewServer(&server.Options{
		ServerName: "punchcard", DontListen: true, NoSigs: true, DisableJetStreamBanner: true,
		JetStream: true, StoreDir: q.config.Folder, MaxPayload: embeddedMaxPayload,
		JetStreamMaxMemory: embeddedMemory, JetStreamMaxStore: embeddedStore,
	})
	if err != nil {
		return fmt.Errorf("message queue: %w", err)
	}
	q.said = &serverLog{log: q.config.Log}
	q.server.SetLogger(q.said, false, false)
	q.server.Start()
	if why, failed := q.said.fatal.Load().(string); failed {
		return fmt.Errorf("the message queue did not start in %s: %s", q.config.Folder, why)
	}
	if !q.server.ReadyForConnections(embeddedStart) {
		return fmt.Errorf("the message queue did not start in %s within %v", q.config.Folder, embeddedStart)
	}
	return nil
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

// createStream makes the stream, with fewer replicas if the external cluster has not enough servers.
func (q *Queue) createStream(ctx context.Context) (jetstream.Stream, error) {
	config := q.wanted(jetstream.StreamConfig{
		Name: StreamName, Description: "Events of Punchcard, in the order of their ids",
		Storage: jetstream.FileStorage, Replicas: replicas,
	})
	if q.server != nil {
		// Writing each message to the file would take a quarter of the relay's CPU time. What a
		// crash loses is still in the database, and the relay sends it again.
		config.Replicas, config.PersistMode = 1, jetstream.AsyncPersistMode
	}
	stream, err := q.stream.CreateStream(ctx, config)
	if config.Replicas == 1 || !lacksServers(err) {
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

// hasReaders reports whether anybody can read the stream. An external queue always counts. The
// embedded server does not listen, so only clients inside this process can read from it, and one of
// its clients is q itself. Tests connect others; the product has none, see docs/behaviour/events.md.
func (q *Queue) hasReaders() bool { return q.server == nil || q.server.NumClients() > 1 }

// Ping requests the stream from JetStream, which fails unless the queue works.
func (q *Queue) Ping(ctx context.Context) error {
	_, err := q.stream.Stream(ctx, StreamName)
	return err
}

// Close flushes pending messages, disconnects, and stops the embedded server.
func (q *Queue) Close() {
	if q.conn.Drain() != nil { // not connected
		q.conn.Close()
	}
	<-q.closed
	q.stopServer()
}

func (q *Queue) stopServer() {
	if q.server != nil {
		q.server.Shutdown()
		q.server.WaitForShutdown()
	}
}

// serverLog forwards the log of the embedded server to the program's log.
type serverLog struct {
	log   *slog.Logger
	fatal atomic.Value // string
	last  atomic.Value // string: the last warning or error, because client errors omit the reason
}

func (l *serverLog) Noticef(format string, v ...any) { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l *serverLog) Warnf(format string, v ...any)   { l.log.Warn(l.keep(fmt.Sprintf(format, v...))) }
func (l *serverLog) Errorf(format string, v ...any)  { l.log.Error(l.keep(fmt.Sprintf(format, v...))) }
func (l *serverLog) Debugf(string, ...any)           {}
func (l *serverLog) Tracef(string, ...any)           {}

func (l *serverLog) keep(text string) string {
	l.last.Store(text)
	return text
}

// lastProblem returns the last warning or error, or says that there was none.
func (l *serverLog) lastProblem() string {
	if text, ok := l.last.Load().(string); ok {
		return text
	}
	return "the server logged nothing"
}

// Fatalf records why the server cannot start. It does not end the process.
func (l *serverLog) Fatalf(format string, v ...any) {
	l.fatal.Store(fmt.Sprintf(format, v...))
	l.Errorf(format, v...)
}

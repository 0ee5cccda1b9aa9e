package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"punchcard/api"
	"punchcard/auth"
	"punchcard/customer"
	"punchcard/earning"
	"punchcard/health"
	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/job"
	"punchcard/platform/search"
	"punchcard/platform/web"
	"punchcard/purchase"
	"punchcard/segment"
	"punchcard/store"
)

// Version is the version of the program in semantic form.
const Version = "0.1.0"

// memoryLimit is where the garbage collector begins to work harder, in bytes.
const memoryLimit = 256 << 20

// Serve runs the server until ctx ends, then drains and closes everything. What a person wants to see
// goes to out, the log to logTo.
func Serve(ctx context.Context, config Config, out, logTo io.Writer) (err error) {
	debug.SetMemoryLimit(memoryLimit)
	log, err := config.logger(logTo)
	if err != nil {
		return err
	}
	unlock, err := lockFolder(&config.Database)
	if err != nil {
		return err
	}
	defer unlock()
	d, err := db.Open(ctx, config.open(log))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	desk := purchase.NewDesk(d)
	if err := bootstrap(ctx, d, desk, &config, out); err != nil {
		return err
	}
	queue, err := event.OpenQueue(ctx, event.QueueConfig{
		URL: config.NATS, Folder: filepath.Join(config.Data, "queue"), Log: log,
	})
	if err != nil {
		return err
	}
	defer queue.Close()
	server, err := newServer(ctx, d, config, log)
	if err != nil {
		return err
	}
	return server.run(ctx, queue, desk, out)
}

// server is the running program.
type server struct {
	db     *db.DB
	config Config
	log    *slog.Logger
	auth   *auth.Auth
	api    *api.Server
}

func newServer(ctx context.Context, d *db.DB, config Config, log *slog.Logger) (*server, error) {
	stores := store.NewDirectory(d)
	a, err := auth.New(ctx, auth.Config{
		DB: d, Stores: stores, TokenLife: config.TokenLife, RefreshLife: config.RefreshLife, MasterKey: config.MasterKey,
		LoggedIn: earning.LoggedIn,
	})
	if err != nil {
		return nil, err
	}
	return &server{
		db: d, config: config, log: log, auth: a,
		api: &api.Server{DB: d, Stores: stores, ResultWindow: config.ResultWindow, Authenticate: a.Authenticate},
	}, nil
}

// run serves with the background work beside it, and stops that after the last request.
func (s *server) run(ctx context.Context, queue *event.Queue, desk *purchase.Desk, out io.Writer) error {
	node := db.NewID()
	relay := event.NewRelay(s.db, queue, job.NewLease(s.db, "relay", node))
	endpoints, err := s.described(desk, relay)
	if err != nil {
		return err
	}
	handler, err := web.NewHandler(web.Config{
		Routes: s.api.Routes(endpoints), Log: s.log, NewID: db.NewID, Clock: s.db.Now,
		CORSOrigins: s.config.AllowedOrigin, RequestTimeout: s.config.Timeout, MaxInFlight: s.config.MaxInFlight,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.config.Listen)
	if err != nil {
		return err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { relay.Run(background) })
	running.Go(func() { job.NewRunner(s.db, node, s.jobs()...).Run(background) })
	defer running.Wait()
	defer stop()
	if _, err := fmt.Fprintf(out, "punchcard %s serves http://%s\n", Version, listener.Addr()); err != nil {
		return err
	}
	return web.Serve(ctx, listener, handler, web.ServerConfig{Log: s.log})
}

func (s *server) probes(relay *event.Relay) []health.Probe {
	return []health.Probe{
		{Name: "database", Probe: s.db.Ping},
		{Name: "search index", Probe: func(ctx context.Context) error { return search.Probe(ctx, s.db) }},
		{Name: "message queue", Probe: relay.Ping},
	}
}

func (s *server) jobs() []job.Job {
	return []job.Job{
		{Name: "refresh tokens", Every: time.Hour, Run: s.auth.DeleteExpired},
		{Name: "points due", Every: time.Minute, Run: customer.SettlePoints(s.db)},
		{Name: "coupons", Every: time.Minute, Run: purchase.Advance(s.db)},
		{Name: "levels", Every: time.Minute, Run: customer.RecheckLevels(s.db)},
		{Name: "segments", Every: time.Minute, Run: segment.RebuildDue(s.db)},
		{Name: "statistics", Every: time.Hour, Run: func(ctx context.Context) (int64, error) { return 0, s.db.Analyze(ctx) }},
	}
}

// lockFolder makes sure that one server uses the data folder: the embedded queue and the SQLite writer
// belong to one process.
func lockFolder(config *Database) (unlock func(), err error) {
	if err := os.MkdirAll(config.Data, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(config.Data, "server.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close() // nothing was written
		return nil, fmt.Errorf("another server uses the folder %s", config.Data)
	}
	return func() { _ = file.Close() }, nil // closing gives the lock back
}

// Migrate brings the schema up to date and tells from which version to which.
func Migrate(ctx context.Context, config Database, out io.Writer) (err error) {
	d, err := db.Open(ctx, config.open(nil))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	before, _, err := d.SchemaVersion(ctx, migrations.Files)
	if err != nil {
		return err
	}
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	after, _, err := d.SchemaVersion(ctx, migrations.Files)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "schema %d -> %d\n", before, after)
	return err
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"sync"

	"punchcard/core/api"
	"punchcard/core/api/health"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/analytics/report"
	"punchcard/loyalty/bulk"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/mailing"
	"punchcard/loyalty/message"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/event"
	"punchcard/platform/event/queue"
	"punchcard/platform/job"
	"punchcard/platform/keytext"
	"punchcard/platform/limit"
	"punchcard/platform/outbound"
	"punchcard/platform/replica"
	"punchcard/platform/search"
	"punchcard/platform/trace"
	"punchcard/platform/web"
	webapps "punchcard/web"
)

// CollectGarbage tunes the garbage collector for a process that only serves: the heap, which is small, may grow to four
// times its live size, up to a soft limit. The variables GOGC and GOMEMLIMIT take precedence.
func CollectGarbage() {
	const percent, limit = 300, 160 << 20 // bytes, with CacheBytes of campaigns and config, without SQLite and stacks
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// Serve runs the server until ctx ends, then drains and closes everything. It prints messages for people to out, and
// logs to logTo.
func Serve(ctx context.Context, config Config, out, logTo io.Writer) (err error) {
	log, err := config.logger(logTo)
	if err != nil {
		return err
	}
	unlock, err := lockFolder(config.Data, log)
	if err != nil {
		return err
	}
	defer unlock()
	if err := config.refuseOtherFile(); err != nil {
		return err
	}
	config.removeQueue(log)
	front, err := openFront(ctx, &config, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, front.close()) }()
	tracer, err := trace.Open(ctx, config.OTLP, Version, log)
	if err != nil {
		return err
	}
	defer tracer.Close()
	open := config.open(log)
	open.Tracer = tracer
	d, err := dbopen.Open(ctx, open)
	if err != nil {
		if ctx.Err() != nil {
			return nil // stopped while waiting for PostgreSQL
		}
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if config.OnCommit != nil {
		d.OnCommit(config.OnCommit)
	}
	if err := config.prepareSchema(ctx, d, log); err != nil {
		return err
	}
	copied, err := config.replicate(d)
	if err != nil {
		return err
	}
	desk := purchase.NewDesk(d, config.Kinds.rewardTypes())
	services := config.Kinds.services(desk)
	if err := services.checkKinds(ctx, d); err != nil {
		return err
	}
	if err := bootstrap(ctx, d, services, &config, out); err != nil {
		return err
	}
	q, closeQueue, err := config.openQueue(ctx, log)
	if err != nil {
		return err
	}
	defer closeQueue()
	server, err := newServer(ctx, d, services, config, log)
	if err != nil {
		return err
	}
	server.copied = copied
	if config.ReplicateSync {
		d.AwaitCopy(copied.Wait)
	}
	return server.run(ctx, q, front, out)
}

// server is the running program.
type server struct {
	db     *db.DB
	config Config
	log    *slog.Logger
	auth   *auth.Auth
	api    *api.Server

	limiters limiters
	services

	outbound *outbound.Client // calls addresses that users configure
	messages *message.Config
	webhooks *webhook.Sender
	receipts *transaction.Registrar
	imports  *dataimport.Service
	reports  *report.Service
	mailings *mailing.Service
	bulk     *bulk.Service
	audit    *audit.Deferred
	feed     *eventlog.Feed
	runner   *job.Runner
	copied   *replica.Replicator // nil without --replicate
	relay    *queue.Relay        // nil without --nats

	certificate *web.Certificate // nil without --tls-cert

	features features
	draining func() bool
}

func newServer(ctx context.Context, d *db.DB, services services, config Config, log *slog.Logger) (*server, error) {
	stores := store.NewDirectory(d)
	config.PublicURL = keytext.ASCIIURL(config.PublicURL) // as browsers name it, and as it stands in headers
	a, err := auth.New(ctx, auth.Config{
		DB: d, Stores: stores, TokenLife: config.TokenLife, RefreshLife: config.RefreshLife, MasterKey: config.MasterKey,
		PublicURL: config.PublicURL, StepUpPoints: config.StepUpPoints * 100,
		PairLimit:    config.LimitLoginAccountAddress,
		AccountLimit: config.LimitLoginAccount, AddressLimit: config.LimitLoginAddress,
	})
	if err != nil {
		return nil, err
	}
	limiters, deferred := config.Rates.limiters(), audit.NewDeferred(d)
	services.earning.Guesses = limiters.guesses
	made := &server{
		feed: eventlog.NewFeed(d, ctx.Done(), eventlog.Pace{}),
		db:   d, config: config, log: log, auth: a, limiters: limiters, services: services,
		api: &api.Server{
			DB: d, Stores: stores, ResultWindow: config.ResultWindow, Authenticate: a.Authenticate, StepUp: a.StepUp,
			StepUpPoints: a.StepUpPoints,
			CallerLimit:  limiters.tokens, KeyLimit: limit.NewVarying("key", limit.DefaultKeys), Audit: deferred,
			CustomerID: customerID,
		},
		audit: deferred, draining: func() bool { return ctx.Err() != nil },
		outbound: outbound.NewClient(outbound.Config{
			Reach: config.reach(), Agent: "Punchcard/" + Version, Clock: d.Now,
		}),
	}
	made.receipts = transaction.NewRegistrar(d, made.clientReceipts())
	made.messages, err = made.messageConfig()
	return made, err
}

// makeWorkers makes the services that work in the background for requests.
func (s *server) makeWorkers() {
	s.reports = report.New()
	s.imports = dataimport.New(slices.Concat(
		[]*dataimport.Kind{customerapi.Import(), transfer.Import()}, transaction.Imports(s.clientReceipts()),
	)...)
	s.mailings = mailing.New(s.messages, s.desk.Catalogue)
	s.bulk = bulk.New(s.segments)
}

// run serves requests and runs the background work, which it stops after the last request.
func (s *server) run(ctx context.Context, q *queue.Queue, front *front, out io.Writer) error {
	node := db.NewID()
	if err := s.useQueue(ctx, q, node); err != nil {
		return err
	}
	s.webhooks = webhook.NewSender(s.db, s.api.Stores, s.outbound, job.NewLease(s.db, "web hooks", node))
	s.features = s.listFeatures()
	feature.Connect(s.db, s.features.reactions()...)
	s.api.AuditObjects, s.api.Effects = s.features.objects(), s.features.effects()
	s.runner = job.NewRunner(s.db, node, s.jobs()...)
	defer s.closeClients()
	endpoints := s.features.described()
	pages, err := webapps.Routes(s.embedOrigins)
	if err != nil {
		return err
	}
	routes := append(s.api.Routes(endpoints), pages...)
	s.certificate = front.certificate
	measured, err := s.measure()
	if err != nil {
		return err
	}
	var watch web.Watcher
	if measured != nil {
		watch, routes = measured, append(routes, measured.route())
	}
	handler, err := web.NewHandler(web.Config{
		Routes: routes, Watch: watch, Tracer: s.db.Tracer(), Log: s.log, NewID: db.NewID, Clock: s.db.Now,
		CORSOrigins: s.config.AllowedOrigin, RequestTimeout: s.config.Timeout, MaxInFlight: s.config.MaxInFlight,
		MaxPerClient: s.config.MaxConnectionsPerClient, TrustedProxies: s.config.TrustedProxy, HSTS: s.config.HSTS,
	})
	if err != nil {
		return err
	}
	address := front.listener.Addr()
	s.linkTo(front.scheme(), address)
	s.numberWaiting(ctx)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	if s.relay != nil {
		running.Go(func() { s.relay.Run(background) })
	}
	running.Go(func() { event.KeepNumbered(background, s.db) })
	running.Go(func() { s.audit.Run(background) })
	running.Go(func() { s.auth.Uses().Run(background) })
	running.Go(func() { s.webhooks.Run(background) })
	running.Go(func() { s.imports.Run(background, s.db) })
	running.Go(func() { s.reports.Run(background, s.db) })
	running.Go(func() { s.mailings.Run(background, s.db) })
	running.Go(func() { s.bulk.Run(background, s.db) })
	running.Go(func() { cashback.NewSender(s.db, s.api.Stores, s.outbound).Run(background) })
	running.Go(func() { message.NewSender(s.db, s.api.Stores, s.messages).Run(background) })
	running.Go(func() { s.runner.Run(background) })
	defer running.Wait()
	defer stop()
	if err := s.redirect(background, &running, front.encryption); err != nil {
		return err
	}
	at := s.pagesAt(front.scheme(), address)
	if err := ensureAdministrator(ctx, s.db, s.config.AdminPassword, at, out); err != nil {
		return err
	}
	front.handler.Store(&handler)
	if _, err := fmt.Fprintf(out, "punchcard %s serves %s://%s\n", Version, front.scheme(), address); err != nil {
		return err
	}
	return <-front.served // after the last request
}

// embedOrigins returns the sites that may frame the page about the program of a store.
func (s *server) embedOrigins(ctx context.Context, storeCode string) ([]string, error) {
	of, found, err := s.api.Stores.ByCode(ctx, storeCode)
	if err != nil || !found {
		return nil, err
	}
	return of.Settings.EmbedOrigins, nil
}

func (s *server) probes() []health.Probe {
	return []health.Probe{
		{Name: "database", Probe: s.db.Ping, Needed: true},
		{Name: "search index", Probe: func(ctx context.Context) error { return search.Probe(ctx, s.db) }},
		{Name: "message queue", Probe: s.probeQueue},
	}
}

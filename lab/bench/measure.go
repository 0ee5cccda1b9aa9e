package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"punchcard/app/apptest"
	"punchcard/platform/db"
	"punchcard/platform/event"
)

// bencher measures the engines in turn.
type bencher struct {
	*options
	folder  string
	product string // path of the program
}

// round is the result of one turn under load.
type round struct {
	rate           float64       // responses per second
	p50, p99, p999 time.Duration // latency; 0.1 % exceed p999

	// During the load, its warm-up included, and until all events are numbered:
	answered   int64         // responses with status 200
	received   int64         // bytes of all responses
	taken      time.Duration // CPU time of server and database
	written    written
	statements int64 // of the server, its background work included
	trips      int64 // round trips to the database; 0 without a proxy
}

func (r round) speed() float64           { return r.rate }
func (r round) half() float64            { return float64(r.p50) }
func (r round) tail() float64            { return float64(r.p99) }
func (r round) lastTail() float64        { return float64(r.p999) }
func (r round) spread() float64          { return float64(r.p99) / float64(r.p50) }
func (r round) microseconds() float64    { return r.each(r.taken.Microseconds()) }
func (r round) bytes() float64           { return r.each(r.written.total()) }
func (r round) databaseBytes() float64   { return r.each(r.written.database) }
func (r round) walBytes() float64        { return r.each(r.written.wal) }
func (r round) statementsEach() float64  { return r.each(r.statements) }
func (r round) tripsEach() float64       { return r.each(r.trips) }
func (r round) each(total int64) float64 { return float64(total) / float64(r.answered) }

func milliseconds(nanoseconds float64) string {
	return fmt.Sprintf("%.1f", nanoseconds/float64(time.Millisecond))
}

// result has the rounds of one scenario in a trial.
type result struct {
	scenario         *scenario
	product, ceiling []round
	open             [][]round // of open loops, for each load
}

// trial measures scenarios with one number of connections in turns, on one server and its own copy of the database.
type trial struct {
	*bencher
	engine      *engine
	shop        *shop
	connections int
	results     []*result // of each scenario

	db      *db.DB // database of the measured server
	server  *server
	ceiling *server
	proxy   *apptest.Proxy // between server and database; nil unless they are far apart
	next    map[string]int // {n} of the next request with each body

	acknowledged map[string]int64 // rows by the query that counts them
	started      time.Duration    // until the first response
	memoryAtRest int64            // bytes
	memoryPeak   int64            // bytes
	problem      error
}

func (b *bencher) newTrial(e *engine, s *shop, connections int, chosen []*scenario) *trial {
	t := &trial{
		bencher: b, engine: e, shop: s, connections: connections, next: map[string]int{}, acknowledged: map[string]int64{},
	}
	for _, s := range chosen {
		t.results = append(t.results, &result{scenario: s, open: make([][]round, len(b.loads))})
	}
	return t
}

func (b *bencher) measureEngine(ctx context.Context, name string, to *report) (err error) {
	e, err := newEngine(ctx, name, b.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.stop()) }()
	s, err := b.prepare(ctx, e)
	if err != nil {
		return err
	}
	for _, connections := range b.connections {
		if err := b.measureScenarios(ctx, e, s, connections, to); err != nil {
			return fmt.Errorf("%d connections: %w", connections, err)
		}
	}
	if err := b.measureCalls(ctx, e, s, to); err != nil {
		return err
	}
	if err := b.measureImports(ctx, e, s, to); err != nil {
		return err
	}
	return b.measureReports(ctx, e, s, to)
}

func (b *bencher) measureScenarios(ctx context.Context, e *engine, s *shop, connections int, to *report) error {
	switch {
	case len(b.scenarios) == 0:
		return nil
	case len(b.against) > 0:
		return b.compare(ctx, e, s, connections, to)
	}
	t := b.newTrial(e, s, connections, b.scenarios)
	if err := t.run(ctx); err != nil {
		return err
	}
	to.trials = append(to.trials, t)
	return b.measureFar(ctx, e, s, connections, to)
}

// run measures all scenarios in turns with the ceiling, then stops the product and checks what is stored.
func (t *trial) run(ctx context.Context) error {
	return t.serve(ctx, func(c *database) (err error) {
		before, err := t.countStored(ctx)
		if err != nil {
			return err
		}
		plan := &ceilingPlan{URL: c.config.URL, File: c.config.File}
		for _, f := range t.results {
			load := t.plan(f.scenario)
			body, err := t.server.request(load.Method, load.Paths[0], load.Tokens[0], load.sample())
			if err != nil {
				return err
			}
			t.next[load.Body]++
			t.acknowledged[f.scenario.stored]++
			plan.Responses = append(plan.Responses, ceilingResponse{f.scenario.name, body})
		}
		if t.ceiling, err = startCeiling(ctx, t.logFile(c, "ceiling"), plan); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, t.ceiling.Stop()) }()
		for i := range t.bencher.rounds {
			for _, f := range t.results {
				if err := t.round(ctx, f, i); err != nil {
					return fmt.Errorf("%s: %w", f.scenario.name, err)
				}
			}
		}
		if t.memoryPeak, err = memory(t.server.PID(), "VmHWM"); err != nil {
			return err
		}
		return t.check(ctx, c, before)
	})
}

// round measures product and ceiling once.
func (t *trial) round(ctx context.Context, f *result, number int) error {
	product, err := t.measure(ctx, f.scenario, number, 0)
	if err != nil {
		return fmt.Errorf("product: %w", err)
	}
	plan := t.plan(f.scenario)
	plan.Writes = 0 // the ceiling has no purchases beside other requests
	plan.Seed, plan.TokensSent = uint64(number), number > 0
	before, err := t.time(t.ceiling)
	if err != nil {
		return err
	}
	ceiling, err := t.load(ctx, t.ceiling, plan)
	if err != nil {
		return fmt.Errorf("ceiling: %w", err)
	}
	after, err := t.time(t.ceiling)
	ceiling.taken = after - before
	f.product, f.ceiling = append(f.product, product), append(f.ceiling, ceiling)
	progress("%s %s, %d connections: %.0f/s, ceiling %.0f/s, ratio %.2f", t.engine.name, f.scenario.name, t.connections,
		product.rate, ceiling.rate, product.rate/ceiling.rate)
	if err != nil || !f.scenario.open || t.connections == 1 {
		return err
	}
	for i, percent := range t.loads {
		open, err := t.measure(ctx, f.scenario, number, product.rate*float64(percent)/100)
		if err != nil {
			return fmt.Errorf("open loop of %d %%: %w", percent, err)
		}
		f.open[i] = append(f.open[i], open)
	}
	return nil
}

// serve runs the product on a copy of the prepared database during use.
func (t *trial) serve(ctx context.Context, use func(c *database) error) (err error) {
	c, err := t.engine.copy()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	return t.serveOn(ctx, c, use)
}

// metricsToken lets the benchmark read the counters of the product.
const metricsToken = "token-of-the-benchmark"

// serveOn runs the product on a database during use.
func (t *trial) serveOn(ctx context.Context, c *database, use func(c *database) error) (err error) {
	arguments := append([]string{"serve", "--listen", "127.0.0.1:0", "--metrics-token", metricsToken,
		"--max-connections-per-client", "8192"}, c.flags...) // all connections come from one address
	if t.server, err = startServer(ctx, t.logFile(c, "product"), nil, t.bencher.product, arguments...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.server.Stop()) }()
	t.started = t.server.started
	if t.memoryAtRest, err = memory(t.server.PID(), "VmRSS"); err != nil {
		return err
	}
	return withDatabase(ctx, c.config, func(d *db.DB) error {
		t.db = d
		if err := t.verifyTokens(ctx); err != nil {
			return err
		}
		if err := t.untilSettled(ctx); err != nil {
			return err
		}
		return use(c)
	})
}

func (t *trial) logFile(c *database, of string) string {
	return filepath.Join(t.folder, c.name+"-"+of+".log")
}

// writesBesideReads is the percentage of requests that are purchases while lists are read.
const writesBesideReads = 10

// plan returns requests of a scenario; most lists are read beside purchases.
func (t *trial) plan(s *scenario) *loadPlan {
	plan := &loadPlan{
		Method: s.method, Connections: t.connections, WarmUp: t.warmUp, Measure: t.bencher.measure, stored: s.stored,
	}
	s.requests(t.shop, plan)
	plan.First = t.next[plan.Body]
	if s.method == "GET" && !s.alone {
		plan.Writes, plan.BuyPaths, plan.Buyers = writesBesideReads, buyPaths(t.shop.spread...), t.shop.tokens
	}
	return plan
}

// measure puts the product under load and waits until it has finished its work. A rate other than 0 makes an open loop.
func (t *trial) measure(ctx context.Context, s *scenario, number int, rate float64) (found round, err error) {
	plan := t.plan(s)
	plan.Seed, plan.TokensSent, plan.Rate = uint64(number), true, rate
	before, err := t.counted(ctx)
	if err != nil {
		return found, err
	}
	if found, err = t.load(ctx, t.server, plan); err != nil {
		return found, err
	}
	if err := t.untilSettled(ctx); err != nil {
		return found, err
	}
	after, err := t.counted(ctx)
	found.taken, found.written = after.taken-before.taken, after.written.minus(before.written)
	found.statements, found.trips = after.statements-before.statements, after.trips-before.trips
	if t.engine.cluster == nil {
		found.written.server -= found.received
	}
	return found, err
}

// counted reads what is counted from the start of the product on.
func (t *trial) counted(ctx context.Context) (now round, err error) {
	if now.taken, err = t.time(t.server); err != nil {
		return now, err
	}
	if now.written, err = t.written(ctx); err != nil {
		return now, err
	}
	if t.proxy != nil {
		now.trips = t.proxy.RoundTrips()
	}
	now.statements, err = t.server.statements()
	return now, err
}

// verifyTokens sends the token of each customer once. Otherwise the first turns would read a session for each.
func (t *trial) verifyTokens(ctx context.Context) error {
	_, err := t.load(ctx, t.server, &loadPlan{
		Method: "GET", Paths: []string{campaignPath + "available"}, Tokens: t.shop.tokens,
		Connections: fewConnections, Measure: 100 * time.Millisecond,
	})
	return err
}

// load puts one server under load. Statuses other than 200 are a problem of the trial.
func (t *trial) load(ctx context.Context, s *server, plan *loadPlan) (found round, err error) {
	plan.Address = strings.TrimPrefix(s.Base, "http://")
	got, err := runLoad(ctx, plan)
	if err != nil {
		return found, err
	}
	for status, n := range got.Statuses {
		if status != 200 {
			t.problem = errors.Join(t.problem, fmt.Errorf("%d responses to %s have status %d", n, plan.Paths[0], status))
		}
	}
	for _, failure := range got.Failures {
		t.problem = errors.Join(t.problem, fmt.Errorf("a connection broke: %s", failure))
	}
	if got.answered() == 0 || got.Measured == 0 {
		return found, errors.Join(errors.New("no responses"), t.problem)
	}
	found.rate = float64(got.Measured) / plan.Measure.Seconds()
	found.p50, found.p99, found.p999 = got.P50, got.P99, got.P999
	found.received, found.answered = got.Received, got.answered()
	if s == t.server { // not the ceiling, which stores nothing
		t.next[plan.Body] = got.Next
		t.acknowledged[purchases] += got.Bought
		t.acknowledged[plan.stored] += got.answered() - got.Bought
	}
	return found, nil
}

// time returns the CPU time of a server and of the database processes so far.
func (t *trial) time(s *server) (time.Duration, error) {
	own, err := readStat(s.PID())
	if err != nil {
		return 0, err
	}
	engine, err := t.engine.time()
	return own.own + engine, err
}

const (
	settleLimit = 2 * time.Minute
	settlePoll  = 50 * time.Millisecond
)

// untilSettled waits until all events are numbered, and the copy off the machine, if there is one, has everything, so
// that neither slows the next turn.
func (t *trial) untilSettled(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, settleLimit, errors.New("events still wait for their numbers, "+
		"or writes for the copy"))
	defer cancel()
	return await(ctx, settlePoll, func() (bool, error) { return t.settled(ctx) })
}

func (t *trial) settled(ctx context.Context) (bool, error) {
	if _, err := event.Number(ctx, t.db); err != nil {
		return false, err
	}
	lag, err := t.server.metric("punchcard_copy_lag_seconds")
	return lag == 0, err
}

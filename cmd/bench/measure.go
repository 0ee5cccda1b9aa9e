package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

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
	rate     float64       // responses per second
	p50, p99 time.Duration // latency
	p999     time.Duration // latency that 0.1 % exceed
	cost     time.Duration // CPU time of server and database for each response
	relayed  time.Duration // from the end of the load until all events are relayed
	received int64         // bytes of all responses
	written  written       // during the load and until all events are relayed
	answered int64         // responses during the same time
}

// result is the outcome of one scenario with one number of connections.
type result struct {
	engine      string
	scenario    scenario
	connections int

	product, ceiling []round
	open             []*openResult
	started          time.Duration // until the first response
	memoryAtRest     int64         // bytes
	memoryPeak       int64         // bytes
	problem          error
}

func (b *bencher) measureEngine(ctx context.Context, name string, to *report) (err error) {
	e, err := newEngine(ctx, name, b.folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.stop()) }()
	if len(b.lists) > 0 && !b.background {
		if err := b.measureLists(ctx, e, to); err != nil {
			return fmt.Errorf("lists: %w", err)
		}
	}
	if b.regulars && !b.background {
		if err := b.measureRegulars(ctx, e, to); err != nil {
			return fmt.Errorf("%s: %w", regularsName, err)
		}
	}
	if len(b.scenarios) == 0 && !b.background {
		return nil
	}
	var s *shop
	var before books
	if err := within(ctx, e.template, func(d *db.DB) error {
		s, err = prepare(ctx, d, b.options)
		return err
	}); err != nil {
		return err
	}
	if err := b.runJobs(ctx, e, s); err != nil {
		return fmt.Errorf("scheduled jobs: %w", err)
	}
	if err := within(ctx, e.template, func(d *db.DB) error {
		if before, err = readBooks(ctx, d, s); err != nil {
			return err
		}
		return tidyUp(ctx, d)
	}); err != nil {
		return err
	}
	if b.background {
		return b.measureBackground(ctx, e, s, to)
	}
	if len(b.against) > 0 {
		return b.compare(ctx, e, s, to)
	}
	found, err := measureInserts(ctx, e, b.options)
	if err != nil {
		return err
	}
	to.addInserts(name, found)
	for _, scenario := range b.scenarios {
		for _, connections := range b.connections {
			t := &trial{
				bencher: b, engine: e, shop: s, before: before,
				result: result{engine: name, scenario: scenario, connections: connections},
			}
			if err := t.run(ctx); err != nil {
				return fmt.Errorf("%s, %d connections: %w", scenario.name, connections, err)
			}
			to.add(&t.result)
		}
	}
	return nil
}

// trial measures one scenario with one number of connections, on its own servers and database.
type trial struct {
	*bencher
	engine *engine
	shop   *shop
	before books
	result result

	db       *db.DB // database of the measured server
	server   *server
	ceiling  *server
	answered int64 // acknowledged purchases
	next     int   // {n} of the next request with a body
}

func (t *trial) run(ctx context.Context) error {
	return t.serve(ctx, func(c *database) (err error) {
		t.result.started = t.server.started
		if t.result.memoryAtRest, err = memory(t.server.PID(), "VmRSS"); err != nil {
			return err
		}
		load := t.plan()
		sample, err := t.server.request(load.Method, load.Paths[0], load.Tokens[0], load.sample())
		if err != nil {
			return err
		}
		t.answered++
		t.next++
		plan := &ceilingPlan{URL: c.config.URL, File: c.config.File, Scenario: t.result.scenario.name, Body: sample}
		if t.ceiling, err = startCeiling(ctx, t.logFile(c, "ceiling"), plan); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, t.ceiling.Stop()) }()
		if load.Method == "GET" {
			if err := t.warmBuyers(ctx); err != nil {
				return err
			}
		}
		return t.rounds(ctx, load)
	})
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

// serveOn runs the product on a database during use.
func (t *trial) serveOn(ctx context.Context, c *database, use func(c *database) error) (err error) {
	arguments := append([]string{"serve", "--listen", "127.0.0.1:0",
		"--max-connections-per-client", "8192"}, c.flags...) // all connections come from one address
	if t.server, err = startServer(ctx, t.logFile(c, "product"), nil, t.bencher.product, arguments...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.server.Stop()) }()
	return within(ctx, c.config, func(d *db.DB) error {
		t.db = d
		return use(c)
	})
}

func (t *trial) logFile(c *database, of string) string {
	return filepath.Join(t.folder, c.name+"-"+of+".log")
}

func (t *trial) plan() *loadPlan {
	plan := &loadPlan{
		Method: t.result.scenario.method, First: t.next,
		Connections: t.result.connections, WarmUp: t.warmUp, Measure: t.measure,
	}
	t.result.scenario.requests(t.shop, plan)
	if plan.Method == "GET" {
		plan.Writes, plan.BuyPaths, plan.Buyers = t.bencher.writes, buyPaths(t.shop.spread...), t.shop.tokens
	}
	return plan
}

// warmBuyers sends the token of each buyer once, which verifies it for the first time. The warm-up of a plan does so
// only with the tokens that read.
func (t *trial) warmBuyers(ctx context.Context) error {
	plan := &loadPlan{
		Method: "GET", Paths: []string{campaignPath + "available"}, Tokens: t.shop.tokens,
		Connections: fewConnections, Measure: 100 * time.Millisecond,
	}
	_, _, err := t.load(ctx, t.server, plan)
	return err
}

// rounds measures product and ceiling in turns, then stops the product and checks what is stored.
func (t *trial) rounds(ctx context.Context, plan *loadPlan) error {
	for range t.bencher.rounds {
		plan.Seed++
		plan.First = t.next
		product, answered, err := t.measureWritten(ctx, plan)
		if err != nil {
			return fmt.Errorf("product: %w", err)
		}
		t.answered += answered
		reads := *plan
		reads.Writes = 0 // the ceiling has one endpoint
		ceiling, _, err := t.turn(ctx, t.ceiling, &reads)
		if err != nil {
			return fmt.Errorf("ceiling: %w", err)
		}
		t.result.product = append(t.result.product, product)
		t.result.ceiling = append(t.result.ceiling, ceiling)
		progress("%s %s, %d connections: %.0f/s, ceiling %.0f/s, ratio %.2f", t.engine.name, t.result.scenario.name,
			plan.Connections, product.rate, ceiling.rate, product.rate/ceiling.rate)
		if err := t.openLoops(ctx, *plan, product.rate); err != nil {
			return err
		}
	}
	var err error
	if t.result.memoryPeak, err = memory(t.server.PID(), "VmHWM"); err != nil {
		return err
	}
	if err := t.server.Stop(); err != nil {
		return err
	}
	if !t.result.scenario.buys {
		return nil
	}
	after, err := readBooks(ctx, t.db, t.shop)
	if err != nil {
		return err
	}
	t.result.problem = errors.Join(t.result.problem, after.check(t.before, t.answered), t.result.checkWritten(t.options))
	return nil
}

// turn puts one server under load and waits until it has finished its work.
func (t *trial) turn(ctx context.Context, s *server, plan *loadPlan) (found round, answered int64, err error) {
	if found, answered, err = t.load(ctx, s, plan); err != nil {
		return found, 0, err
	}
	found.relayed, err = t.untilRelayed(ctx)
	return found, answered, err
}

// load puts one server under load. Statuses other than 200 are a problem of the result.
func (t *trial) load(ctx context.Context, s *server, plan *loadPlan) (found round, answered int64, err error) {
	plan.Address = strings.TrimPrefix(s.Base, "http://")
	stop := startMeter(func() (time.Duration, error) { return t.time(s) })
	got, err := runLoad(ctx, plan)
	meter, unmeasured := stop()
	if err = errors.Join(err, unmeasured); err != nil {
		return found, 0, err
	}
	for status, n := range got.Statuses {
		if status != 200 {
			t.result.problem = errors.Join(t.result.problem, fmt.Errorf("%d answers with status %d", n, status))
		}
	}
	for _, failure := range got.Failures {
		t.result.problem = errors.Join(t.result.problem, fmt.Errorf("a connection broke: %s", failure))
	}
	if got.answered() == 0 || got.Measured == 0 {
		return found, 0, errors.Join(errors.New("no answers"), t.result.problem)
	}
	found.rate = float64(got.Measured) / plan.Measure.Seconds()
	found.p50, found.p99, found.p999 = got.P50, got.P99, got.P999
	found.received = got.Received
	if s == t.server {
		t.next = got.Next
	}
	taken, err := meter.between(got.From, got.From.Add(plan.Measure))
	found.cost = taken / time.Duration(got.Measured)
	return found, got.answered(), err
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
	relayLimit = 2 * time.Minute
	relayPoll  = 50 * time.Millisecond
)

// untilRelayed waits until all events are numbered and in the message queue, so that neither slows the
// next turn. Nothing waits for an embedded queue.
func (t *trial) untilRelayed(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	poll := time.NewTicker(relayPoll)
	defer poll.Stop()
	for {
		if _, err := event.Number(ctx, t.db); err != nil {
			return 0, err
		}
		waiting, _, err := event.Lag(ctx, t.db)
		took := time.Since(began)
		if err != nil || waiting == 0 {
			return took, err
		}
		if took > relayLimit {
			t.result.problem = errors.Join(t.result.problem,
				fmt.Errorf("%d events wait for the message queue %s after the load", waiting, relayLimit))
			return took, nil
		}
		select {
		case <-ctx.Done():
			return took, ctx.Err()
		case <-poll.C:
		}
	}
}

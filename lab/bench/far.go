package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"punchcard/app/apptest"
)

// farTrial measures the product with PostgreSQL behind a proxy. The results are those without a delay.
type farTrial struct {
	*trial
	delayed [][][]round // of each result and delay
}

// measureFar measures the scenarios that are to be measured so. They take turns with all delays on one server.
func (b *bencher) measureFar(ctx context.Context, e *engine, s *shop, connections int, to *report) (err error) {
	chosen := slices.DeleteFunc(slices.Clone(b.scenarios), func(s *scenario) bool { return !s.far })
	if e.cluster == nil || len(b.delays) == 0 || len(chosen) == 0 {
		return nil
	}
	t := &farTrial{trial: b.newTrial(e, s, connections, chosen)}
	c, err := e.copy()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	if t.proxy, err = c.behindProxy(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.proxy.Stop()) }()
	for range chosen {
		t.delayed = append(t.delayed, make([][]round, len(b.delays)))
	}
	to.far = append(to.far, t)
	return t.serveOn(ctx, c, func(*database) error {
		for number := range b.options.rounds {
			for i, f := range t.results {
				if err := t.measureDelays(ctx, number, f, t.delayed[i]); err != nil {
					return fmt.Errorf("%s: %w", f.scenario.name, err)
				}
			}
		}
		for _, f := range t.results {
			t.problem = errors.Join(t.problem, t.exceeded(f))
		}
		return nil
	})
}

// measureDelays measures a scenario once without a delay and once with each.
func (t *farTrial) measureDelays(ctx context.Context, number int, f *result, delayed [][]round) error {
	without, err := t.measure(ctx, f.scenario, number, 0)
	if err != nil {
		return err
	}
	f.product = append(f.product, without)
	progress("%s %s, %d connections through a proxy: %.0f/s, %.1f round trips each", t.engine.name, f.scenario.name,
		t.connections, without.rate, without.tripsEach())
	for i, delay := range t.delays {
		t.proxy.SetDelay(delay)
		found, err := t.measure(ctx, f.scenario, number, 0)
		if err != nil {
			return err
		}
		delayed[i] = append(delayed[i], found)
		progress("%s %s, %s away: %.0f/s", t.engine.name, f.scenario.name, delay, found.rate)
	}
	t.proxy.SetDelay(0)
	return nil
}

// behindProxy starts a proxy for a PostgreSQL database, through which the product reaches it from then on.
func (c *database) behindProxy() (*apptest.Proxy, error) {
	address, err := url.Parse(c.config.URL)
	if err != nil {
		return nil, err
	}
	socket := address.Query()
	proxy, err := apptest.StartProxy("unix", filepath.Join(socket.Get("host"), ".s.PGSQL."+socket.Get("port")))
	if err != nil {
		return nil, err
	}
	address.Host, address.RawQuery = proxy.Address(), "sslmode=disable"
	c.flags = []string{"--data", c.data, "--database", address.String()}
	return proxy, nil
}

func (r *report) farTable() table {
	t := table{legend: farLegend, lines: [][]string{{
		"scenario", "connections", "ms each way", "req/s", "of it without", "p50 ms", "p99 ms", "round trips", "statements",
	}}}
	for _, trial := range r.far {
		for i, f := range trial.results {
			add := func(delay time.Duration, rounds []round) {
				t.add(f.scenario.name, fmt.Sprint(trial.connections), fmt.Sprintf("%.1f", delay.Seconds()*1000),
					whole(middle(rounds, round.speed)), fmt.Sprintf("%.2f", ratio(rounds, f.product, round.speed)),
					milliseconds(middle(rounds, round.half)), milliseconds(middle(rounds, round.tail)),
					fmt.Sprintf("%.2f", middle(rounds, round.tripsEach)),
					fmt.Sprintf("%.2f", middle(rounds, round.statementsEach)))
			}
			add(0, f.product)
			for j, delay := range trial.delays {
				add(delay, trial.delayed[i][j])
			}
		}
	}
	return t
}

const farLegend = `
PostgreSQL behind a proxy that adds a time in each direction. Round trips and statements are those for one
response, what the server does in the background included.`

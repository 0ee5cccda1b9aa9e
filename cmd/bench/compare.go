package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// comparison has the results of builds of the product in the same rounds, first the build of this source.
type comparison struct {
	builds  []string  // paths of the programs
	results []*result // of each build
}

// compare measures this build and those of -against in turns, each on its own copy of the same database.
func (b *bencher) compare(ctx context.Context, e *engine, s *shop, to *report) error {
	for _, scenario := range b.scenarios {
		for _, connections := range b.connections {
			found := &comparison{builds: slices.Concat([]string{b.product}, b.against)}
			var trials []*trial
			for _, build := range found.builds {
				own := *b
				own.product = build
				t := &trial{bencher: &own, engine: e, shop: s}
				t.result = result{engine: e.name, scenario: scenario, connections: connections}
				trials, found.results = append(trials, t), append(found.results, &t.result)
			}
			if err := serveAll(ctx, trials, func() error { return takeTurns(ctx, trials) }); err != nil {
				return fmt.Errorf("%s, %d connections: %w", scenario.name, connections, err)
			}
			to.comparisons = append(to.comparisons, found)
		}
	}
	return nil
}

// serveAll runs the products of all trials during use.
func serveAll(ctx context.Context, trials []*trial, use func() error) error {
	if len(trials) == 0 {
		return use()
	}
	return trials[0].serve(ctx, func(*database) error { return serveAll(ctx, trials[1:], use) })
}

// takeTurns puts the products under load one after the other. A turn before the first round sends each token once, so
// that the others need only the warm-up. Each round begins with another product.
func takeTurns(ctx context.Context, trials []*trial) error {
	for i := range trials[0].bencher.rounds + 1 {
		for j := range trials {
			t := trials[(i+j)%len(trials)]
			plan := t.plan()
			plan.Seed, plan.TokensSent = uint64(i), i > 0
			if i == 0 && plan.Method == "GET" {
				if err := t.warmBuyers(ctx); err != nil {
					return err
				}
			}
			found, _, err := t.measureWritten(ctx, plan)
			if err != nil {
				return fmt.Errorf("%s: %w", t.bencher.product, err)
			}
			if i > 0 {
				t.result.product = append(t.result.product, found)
				progress("%s %s, %d connections, %s: %.0f/s", t.engine.name, t.result.scenario.name, plan.Connections,
					t.bencher.product, found.rate)
			}
		}
	}
	return nil
}

const comparisonLegend = `
rate, cpu, written, p99 to first: medians of the rounds, each divided by the first build's turn of the same round, with
the quartiles.

`

func (c *comparison) problem() error {
	var all []error
	for i, found := range c.results {
		if found.problem != nil {
			all = append(all, fmt.Errorf("%s: %s: %w", found.engine, c.builds[i], found.problem))
		}
	}
	return errors.Join(all...)
}

func (r *report) comparisonTable() [][]string {
	lines := [][]string{{
		"engine", "scenario", "connections", "build", "req/s", "p50 ms", "p99 ms", "cpu us", "written kB",
		"rate to first", "cpu to first", "written to first", "p99 to first",
	}}
	for _, c := range r.comparisons {
		for i, f := range c.results {
			line := []string{
				f.engine, f.scenario.name, fmt.Sprint(f.connections), filepath.Base(c.builds[i]),
				fmt.Sprintf("%.0f", f.rate()), milliseconds(middle(f.product, round.half)),
				milliseconds(middle(f.product, round.tail)), fmt.Sprintf("%.0f", middle(f.product, round.microseconds)),
				kilobytes(middle(f.product, round.bytes)),
			}
			for _, figure := range []func(round) float64{round.speed, round.microseconds, round.bytes, round.tail} {
				line = append(line, spreadOf(f.product, c.results[0].product, figure))
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// spreadOf formats the median and the quartiles of the ratios of two figures of the same rounds.
func spreadOf(rounds, first []round, figure func(round) float64) string {
	ratios := make([]float64, len(rounds))
	for i := range ratios {
		ratios[i] = figure(rounds[i]) / figure(first[i])
	}
	slices.Sort(ratios)
	n := len(ratios)
	return fmt.Sprintf("%.3f (%.2f, %.2f)", median(ratios), ratios[n/4], ratios[n-1-n/4])
}

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
	builds []string // paths of the programs
	trials []*trial // of each build
}

// compare measures this build and those of -against in turns, each on its own copy of the same database.
func (b *bencher) compare(ctx context.Context, e *engine, s *shop, connections int, to *report) error {
	found := &comparison{builds: slices.Concat([]string{b.product}, b.against)}
	for _, build := range found.builds {
		own := *b
		own.product = build
		found.trials = append(found.trials, own.newTrial(e, s, connections, b.scenarios))
	}
	to.comparisons = append(to.comparisons, found)
	return serveAll(ctx, found.trials, func() error { return takeTurns(ctx, found.trials) })
}

// serveAll runs the products of all trials during use.
func serveAll(ctx context.Context, trials []*trial, use func() error) error {
	if len(trials) == 0 {
		return use()
	}
	return trials[0].serve(ctx, func(*database) error { return serveAll(ctx, trials[1:], use) })
}

// takeTurns puts the products under load one after the other. Each round begins with another product.
func takeTurns(ctx context.Context, trials []*trial) error {
	for i := range trials[0].bencher.rounds {
		for k, first := range trials[0].results {
			for j := range trials {
				t := trials[(i+j)%len(trials)]
				found, err := t.measure(ctx, first.scenario, i, 0)
				if err != nil {
					return fmt.Errorf("%s of %s: %w", first.scenario.name, t.bencher.product, err)
				}
				t.results[k].product = append(t.results[k].product, found)
				progress("%s %s, %d connections, %s: %.0f/s", t.engine.name, first.scenario.name, t.connections,
					t.bencher.product, found.rate)
			}
		}
	}
	return nil
}

const comparisonLegend = `
rate, cpu, written, statements, p99 to first: medians of the rounds, each divided by the first build's turn of the same
round, with the quartiles.`

func (c *comparison) problem() error {
	var all []error
	for i, t := range c.trials {
		if t.problem != nil {
			all = append(all, fmt.Errorf("%s: %s: %w", t.engine.name, c.builds[i], t.problem))
		}
	}
	return errors.Join(all...)
}

func (r *report) comparisonTable() table {
	t := table{legend: comparisonLegend, lines: [][]string{{
		"engine", "scenario", "connections", "build", "req/s", "p50 ms", "p99 ms", "cpu us", "written kB",
		"rate to first", "cpu to first", "written to first", "statements to first", "p99 to first",
	}}}
	for _, c := range r.comparisons {
		for k, first := range c.trials[0].results {
			for i, trial := range c.trials {
				rounds := trial.results[k].product
				line := []string{
					trial.engine.name, first.scenario.name, fmt.Sprint(trial.connections), filepath.Base(c.builds[i]),
					whole(middle(rounds, round.speed)), milliseconds(middle(rounds, round.half)),
					milliseconds(middle(rounds, round.tail)), whole(middle(rounds, round.microseconds)),
					kilobytes(middle(rounds, round.bytes)),
				}
				for _, figure := range []func(round) float64{
					round.speed, round.microseconds, round.bytes, round.statementsEach, round.tail,
				} {
					line = append(line, spreadOf(rounds, first.product, figure))
				}
				t.add(line...)
			}
		}
	}
	return t
}

// spreadOf formats the median and the quartiles of the ratios of two figures of the same rounds.
func spreadOf(rounds, first []round, figure func(round) float64) string {
	all := ratios(rounds, first, figure)
	slices.Sort(all)
	n := len(all)
	return fmt.Sprintf("%.3f (%.2f, %.2f)", median(all), all[n/4], all[n-1-n/4])
}

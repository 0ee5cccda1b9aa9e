package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

// report collects results and writes them.
type report struct {
	options *options

	trials      []*trial
	far         []*farTrial
	called      []*called
	imported    []imported
	reported    []measuredReport
	comparisons []*comparison
}

// problems joins the problems of all results. Missed floors are not among them.
func (r *report) problems() error {
	var all []error
	add := func(t *trial) {
		if t.problem != nil {
			all = append(all, fmt.Errorf("%s, %d connections: %w", t.engine.name, t.connections, t.problem))
		}
	}
	for _, t := range r.trials {
		add(t)
	}
	for _, t := range r.far {
		add(t.trial)
	}
	for _, c := range r.comparisons {
		all = append(all, c.problem())
	}
	return errors.Join(all...)
}

// table is rows of cells, the first of which is the header.
type table struct {
	legend string
	lines  [][]string
}

func (t *table) add(cells ...string) { t.lines = append(t.lines, cells) }

// write writes the tables that have rows, in Markdown.
func (r *report) write(to io.Writer) error {
	o := r.options
	var b strings.Builder
	fmt.Fprintf(&b, "%d processors, load generator included; %s; %d rounds of %s after %s of warm-up, %d customers. "+
		"Figures are medians of the rounds.\n", runtime.NumCPU(), runtime.Version(), o.rounds, o.measure, o.warmUp,
		o.customers*o.grown)
	for _, t := range []table{
		r.table(), r.openTable(), r.farTable(), r.callTable(), r.importTable(), r.reportTable(), r.comparisonTable(),
		r.floorTable(),
	} {
		if len(t.lines) > 1 {
			fmt.Fprintf(&b, "\n%s\n\n", strings.TrimSpace(t.legend))
			t.write(&b)
		}
	}
	_, err := io.WriteString(to, b.String())
	return err
}

const legend = `
of purchases: to the purchases a second of the same round. ratio: to the ceiling's responses a second. Beside lists of
one customer a tenth of the requests are purchases. cpu: of server and database for one response, with what they do in
the background. written: to files for one response of the whole load, until all events are numbered, checkpoints of
SQLite included; of it by the processes of PostgreSQL, and as records of its WAL. statements: of the server for one
response, with what it does in the background, without those that begin and end transactions.
`

// table has the results of the scenarios.
func (r *report) table() table {
	t := table{legend: legend, lines: [][]string{{
		"engine", "scenario", "connections", "req/s", "of purchases", "p50 ms", "p99 ms", "p99/p50", "ceiling req/s",
		"ceiling p99 ms", "ratio", "cpu us", "ceiling cpu us", "written kB", "of it database", "of it WAL",
		"statements",
	}}}
	for _, trial := range r.trials {
		for _, f := range trial.results {
			t.add(append([]string{trial.engine.name, f.scenario.name, fmt.Sprint(trial.connections)}, trial.cells(f)...)...)
		}
	}
	return t
}

func (t *trial) cells(f *result) []string {
	share := ""
	if purchases := t.resultOf(scenarios[0].name).product; len(purchases) > 0 && f.scenario != scenarios[0] {
		share = fmt.Sprintf("%.2f", ratio(f.product, purchases, round.speed))
	}
	return []string{
		whole(middle(f.product, round.speed)), share,
		milliseconds(middle(f.product, round.half)), milliseconds(middle(f.product, round.tail)),
		fmt.Sprintf("%.2f", middle(f.product, round.spread)),
		whole(middle(f.ceiling, round.speed)), milliseconds(middle(f.ceiling, round.tail)),
		fmt.Sprintf("%.2f", ratio(f.product, f.ceiling, round.speed)),
		whole(middle(f.product, round.microseconds)), whole(middle(f.ceiling, round.microseconds)),
		kilobytes(middle(f.product, round.bytes)), kilobytes(middle(f.product, round.databaseBytes)),
		kilobytes(middle(f.product, round.walBytes)), fmt.Sprintf("%.2f", middle(f.product, round.statementsEach)),
	}
}

// ratios divides a figure of rounds by that of other rounds at the same time.
func ratios(rounds, others []round, figure func(round) float64) []float64 {
	all := make([]float64, len(rounds))
	for i := range all {
		all[i] = figure(rounds[i]) / figure(others[i])
	}
	return all
}

// ratio returns the median of ratios.
func ratio(rounds, others []round, figure func(round) float64) float64 {
	return median(ratios(rounds, others, figure))
}

func middle(rounds []round, figure func(round) float64) float64 {
	values := make([]float64, len(rounds))
	for i, r := range rounds {
		values[i] = figure(r)
	}
	return median(values)
}

// median returns the median and sorts values.
func median(values []float64) float64 {
	slices.Sort(values)
	half := len(values) / 2
	if len(values)%2 == 1 {
		return values[half]
	}
	return (values[half-1] + values[half]) / 2
}

func whole(value float64) string { return fmt.Sprintf("%.0f", value) }

// write writes the table in aligned columns.
func (t *table) write(b *strings.Builder) {
	widths := make([]int, len(t.lines[0]))
	for _, line := range t.lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	write := func(cells []string, filler string) {
		for i, cell := range cells {
			b.WriteString("| " + cell + strings.Repeat(filler, widths[i]-utf8.RuneCountInString(cell)) + " ")
		}
		b.WriteString("|\n")
	}
	for i, line := range t.lines {
		if write(line, " "); i == 0 {
			write(make([]string, len(line)), "-")
		}
	}
}

package main

import (
	"cmp"
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
	imported    []imported
	reported    []measuredReport
	comparisons []*comparison
}

// problems joins the problems of all results. Missed goals are not among them.
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
		r.table(), r.serverTable(), r.openTable(), r.farTable(), r.importTable(), r.reportTable(),
		r.comparisonTable(),
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
of purchases: to the purchases a second of the same round, for checkout to the responses of list-bought. ratio: to the
ceiling's responses a second. Beside lists of one customer a tenth of the requests are purchases. cpu: of server and
database for one response, with what they do in the background. written: to files for one response of the whole load,
until all events are numbered, checkpoints of SQLite included; of it by the processes of PostgreSQL, and as records of
its WAL. statements: of the server for one response, with what it does in the background, without those that begin and
end transactions.
`

// table has the results of the scenarios.
func (r *report) table() table {
	t := table{legend: legend, lines: [][]string{{
		"engine", "scenario", "connections", "req/s", "of purchases", "goal", "p50 ms", "p99 ms", "p99/p50", "ceiling req/s",
		"ceiling p99 ms", "ratio", "goal", "cpu us", "ceiling cpu us", "written kB", "of it database", "of it WAL",
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
	reached := ratio(f.product, f.ceiling, round.speed)
	share, goal := t.ofPurchases(f)
	return []string{
		whole(middle(f.product, round.speed)), share, goal,
		milliseconds(middle(f.product, round.half)), milliseconds(middle(f.product, round.tail)),
		fmt.Sprintf("%.2f", middle(f.product, round.spread)),
		whole(middle(f.ceiling, round.speed)), milliseconds(middle(f.ceiling, round.tail)),
		fmt.Sprintf("%.2f", reached), atLeast(reached, f.scenario.goals[t.engine.name][t.connections]),
		whole(middle(f.product, round.microseconds)), whole(middle(f.ceiling, round.microseconds)),
		kilobytes(middle(f.product, round.bytes)), kilobytes(middle(f.product, round.databaseBytes)),
		kilobytes(middle(f.product, round.walBytes)), fmt.Sprintf("%.2f", middle(f.product, round.statementsEach)),
	}
}

// ofPurchases returns the ratio of a rate to that of purchases, or of the scenario that its goal is for, and its goal.
// It returns nothing if they were not measured.
func (t *trial) ofPurchases(f *result) (reached, goal string) {
	for _, bought := range t.results {
		if bought.scenario.name == cmp.Or(f.scenario.shared, scenarios[0].name) && f != bought {
			value := ratio(f.product, bought.product, round.speed)
			if t.connections == fewConnections {
				goal = atLeast(value, f.scenario.share[t.engine.name])
			}
			return fmt.Sprintf("%.2f", value), goal
		}
	}
	return "", ""
}

// serverTable has what is measured once for each server.
func (r *report) serverTable() table {
	t := table{legend: "The servers that were measured.", lines: [][]string{{
		"engine", "connections", "start ms", "MB at rest", "MB at the peak", "problems",
	}}}
	for _, trial := range r.trials {
		problems := "none"
		if trial.problem != nil {
			problems = "SEE BELOW"
		}
		t.add(trial.engine.name, fmt.Sprint(trial.connections),
			atMost(trial.started.Milliseconds(), startGoal.Milliseconds()),
			atMost(trial.memoryAtRest>>20, memoryGoalAtRest>>20), atMost(trial.memoryPeak>>20, memoryGoal>>20), problems)
	}
	return t
}

func atLeast(value, goal float64) string {
	if goal == 0 {
		return ""
	}
	return verdict(value >= goal, goal)
}

// atMost formats a value, with a remark if it exceeds its goal.
func atMost(value, goal int64) string {
	if value > goal {
		return fmt.Sprintf("%d, goal %d MISSED", value, goal)
	}
	return fmt.Sprint(value)
}

func verdict(reached bool, goal float64) string {
	if reached {
		return fmt.Sprintf("%.2f reached", goal)
	}
	return fmt.Sprintf("%.2f MISSED", goal)
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

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// report collects results and writes them.
type report struct {
	options *options
	results []*result
	inserts []engineInserts

	disturbances []*disturbance
	listed       []*listResult
	regulars     []*regularsResult
	comparisons  []*comparison
}

type engineInserts struct {
	engine string
	inserts
}

func (r *report) add(found *result) { r.results = append(r.results, found) }
func (r *report) addInserts(engine string, found inserts) {
	r.inserts = append(r.inserts, engineInserts{engine, found})
}

// problems joins the problems of all results. Missed goals are not among them.
func (r *report) problems() error {
	var all []error
	for _, found := range r.results {
		if found.problem != nil {
			all = append(all, fmt.Errorf("%s %s, %d connections: %w", found.engine, found.scenario.name,
				found.connections, found.problem))
		}
	}
	for _, found := range r.disturbances {
		if found.problem != nil {
			all = append(all, fmt.Errorf("%s, %s: %w", found.engine, found.work.name, found.problem))
		}
	}
	for _, found := range r.regulars {
		if found.problem != nil {
			all = append(all, fmt.Errorf("%s, %s: %w", found.engine, regularsName, found.problem))
		}
	}
	for _, found := range r.comparisons {
		all = append(all, found.problem())
	}
	return errors.Join(all...)
}

// style is the format of a table.
type style struct{ begin, between, end, rule string }

var (
	textStyle     = style{between: "  "}
	markdownStyle = style{begin: "| ", between: " | ", end: " |", rule: "-"}
)

func (r *report) writeFile(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(r.write(file, markdownStyle), file.Close())
}

func (r *report) write(to io.Writer, s style) error {
	o := r.options
	var b strings.Builder
	fmt.Fprintf(&b, "%d processors, load generator included; %s; %d rounds of %s after %s of warm-up, %d customers. "+
		"Ratios are medians of the rounds.\n\n", runtime.NumCPU(), runtime.Version(), o.rounds, o.measure, o.warmUp,
		o.customers*o.grown)
	if len(r.disturbances) > 0 {
		writeTable(&b, s, r.backgroundTable())
		_, err := io.WriteString(to, b.String())
		return err
	}
	if len(r.listed) > 0 {
		writeTable(&b, s, r.listTable())
		fmt.Fprintf(&b, listLegend, fewRows, o.rows)
	}
	if len(r.regulars) > 0 {
		writeTable(&b, s, r.regularsTable())
		fmt.Fprintf(&b, regularsLegend, regularCampaigns)
	}
	if len(r.comparisons) > 0 {
		writeTable(&b, s, r.comparisonTable())
		b.WriteString(comparisonLegend)
	}
	if len(r.results) > 0 {
		writeTable(&b, s, r.table())
		b.WriteString(legend)
		writeTable(&b, s, r.insertTable())
	}
	if lines := r.openTable(); len(lines) > 1 {
		b.WriteString(openLegend)
		writeTable(&b, s, lines)
	}
	if lines := r.hotAgainstSpread(); len(lines) > 0 {
		b.WriteString("\nAll on one campaign against spread over many:\n\n")
		writeTable(&b, s, lines)
	}
	_, err := io.WriteString(to, b.String())
	return err
}

const legend = `
ratio: to the ceiling's answers a second. of inserts: to the rows a second that a bare loop inserts in
batches, with as many goroutines as connections. Lists are read beside purchases, see -writes. cpu: of server
and database for one answer in the measured time, what they do in the background included. written: to files for
one answer of the whole load, until all events are relayed, checkpoints of SQLite included; of it by the processes
of PostgreSQL, and as records of its WAL. relay: until all events were in the message queue after a
round; 0 while nobody reads the queue.

`

const listLegend = `
One request at a time, to a store with %d rows and to one with %d in turns. ratio: of the p95.

`

var header = []string{
	"engine", "scenario", "connections", "req/s", "p50 ms", "p99 ms", "ceiling req/s", "ceiling p99 ms",
	"ratio", "goal", "of inserts", "p99/p50", "goal", "cpu us", "ceiling cpu us", "written kB",
	"of it database", "of it WAL", "start ms", "rest MB", "peak MB", "relay s", "problems",
}

func (r *report) table() [][]string {
	lines := [][]string{header}
	for _, f := range r.results {
		problems := "none"
		if f.problem != nil {
			problems = "SEE BELOW"
		}
		rate := f.rate()
		lines = append(lines, []string{
			f.engine, f.scenario.name, fmt.Sprint(f.connections), fmt.Sprintf("%.0f", rate),
			milliseconds(middle(f.product, round.half)),
			milliseconds(middle(f.product, round.tail)), fmt.Sprintf("%.0f", middle(f.ceiling, round.speed)),
			milliseconds(middle(f.ceiling, round.tail)),
			fmt.Sprintf("%.2f", f.ratio(round.speed)),
			atLeast(f.ratio(round.speed), f.scenario.goal(f.engine, f.connections)),
			r.ofInserts(f), fmt.Sprintf("%.2f", middle(f.product, round.spread)), f.spreadGoal(),
			fmt.Sprintf("%.0f", middle(f.product, round.microseconds)),
			fmt.Sprintf("%.0f", middle(f.ceiling, round.microseconds)),
			kilobytes(middle(f.product, round.bytes)), kilobytes(middle(f.product, round.databaseBytes)),
			kilobytes(middle(f.product, round.walBytes)),
			atMost(f.started.Milliseconds(), startGoal.Milliseconds()), atMost(f.memoryAtRest>>20, memoryGoalAtRest>>20),
			atMost(f.memoryPeak>>20, memoryGoal>>20),
			f.relay(), problems,
		})
	}
	return lines
}

// listTable compares lists with many rows and with few.
func (r *report) listTable() [][]string {
	lines := [][]string{{
		"engine", "scenario", "request", "p50 ms, few", "p95 ms, few", "p50 ms", "p95 ms", "ratio", "goal",
	}}
	for _, f := range r.listed {
		line := []string{f.engine, f.scenario, f.read}
		for _, times := range []*histogram{&f.few, &f.many} {
			line = append(line, fine(times.quantile(0.5)), fine(times.quantile(0.95)))
		}
		lines = append(lines, append(line, fmt.Sprintf("%.2f", f.ratio()), verdict(f.ratio() <= listGoal, listGoal)))
	}
	return lines
}

// backgroundTable compares purchases with background work and without.
func (r *report) backgroundTable() [][]string {
	lines := [][]string{{
		"engine", "background work", "calm req/s", "calm p99 ms", "req/s", "p99 ms", "p99 ratio", "goal", "at it for s",
	}}
	for _, f := range r.disturbances {
		ratios := make([]float64, len(f.calm))
		shortest := f.ran[0]
		for i := range ratios {
			ratios[i] = f.disturbed[i].tail() / f.calm[i].tail()
			shortest = min(shortest, f.ran[i])
		}
		ratio := median(ratios)
		lines = append(lines, []string{
			f.engine, f.work.name, fmt.Sprintf("%.0f", middle(f.calm, round.speed)), milliseconds(middle(f.calm, round.tail)),
			fmt.Sprintf("%.0f", middle(f.disturbed, round.speed)), milliseconds(middle(f.disturbed, round.tail)),
			fmt.Sprintf("%.2f", ratio), verdict(ratio <= backgroundGoal, backgroundGoal),
			fmt.Sprintf("%.1f", shortest.Seconds()),
		})
	}
	return lines
}

func (r *report) insertTable() [][]string {
	lines := [][]string{{"engine", "bare inserts", "rows/s"}}
	for _, found := range r.inserts {
		lines = append(lines, []string{found.engine, "one after the other", fmt.Sprintf("%.0f", found.alone)})
		for _, n := range r.options.connections {
			lines = append(lines, []string{found.engine, fmt.Sprintf("batched, %d at once", n),
				fmt.Sprintf("%.0f", found.batched[n])})
		}
	}
	return lines
}

// hotAgainstSpread compares purchases of one campaign with those of many, or returns nil unless
// both were measured.
func (r *report) hotAgainstSpread() [][]string {
	lines := [][]string{{"engine", "connections", "hot / spread"}}
	for _, spread := range r.results {
		for _, hot := range r.results {
			if spread.scenario.name == "buy-spread" && hot.scenario.name == "buy-hot" && hot.engine == spread.engine &&
				hot.connections == spread.connections {
				// They were measured minutes apart, so only their ratios to the ceiling are comparable.
				lines = append(lines, []string{hot.engine, fmt.Sprint(hot.connections),
					fmt.Sprintf("%.2f", hot.ratio(round.speed)/spread.ratio(round.speed))})
			}
		}
	}
	if len(lines) == 1 {
		return nil
	}
	return lines
}

func (r *report) ofInserts(f *result) string {
	for _, found := range r.inserts {
		if f.scenario.buys && found.engine == f.engine {
			return fmt.Sprintf("%.2f", f.rate()/found.batched[f.connections])
		}
	}
	return ""
}

func (r round) speed() float64        { return r.rate }
func (r round) half() float64         { return float64(r.p50) }
func (r round) tail() float64         { return float64(r.p99) }
func (r round) spread() float64       { return float64(r.p99) / float64(r.p50) }
func (r round) microseconds() float64 { return float64(r.cost) / float64(time.Microsecond) }

func (f *result) rate() float64 { return middle(f.product, round.speed) }

// ratio returns the median over the rounds of the product's value divided by the ceiling's.
func (f *result) ratio(figure func(round) float64) float64 {
	ratios := make([]float64, len(f.product))
	for i := range ratios {
		ratios[i] = figure(f.product[i]) / figure(f.ceiling[i])
	}
	return median(ratios)
}

func (f *result) spreadGoal() string {
	goal := spreadGoals[f.connections]
	if !f.scenario.buys || goal == 0 {
		return ""
	}
	return verdict(middle(f.product, round.spread) <= goal, goal)
}

func (f *result) relay() string {
	if !f.scenario.buys {
		return ""
	}
	return fmt.Sprintf("%.1f", middle(f.product, func(r round) float64 { return r.relayed.Seconds() }))
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

func milliseconds(nanoseconds float64) string {
	return fmt.Sprintf("%.1f", nanoseconds/float64(time.Millisecond))
}

// fine formats milliseconds of single requests, which are short.
func fine(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()*1000) }

// writeTable writes rows of cells in aligned columns; the first row is the header.
func writeTable(b *strings.Builder, s style, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for number, line := range lines {
		cells := make([]string, len(line))
		for i, cell := range line {
			cells[i] = cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		}
		b.WriteString(strings.TrimRight(s.begin+strings.Join(cells, s.between)+s.end, " ") + "\n")
		if number == 0 && s.rule != "" {
			for i := range cells {
				cells[i] = strings.Repeat(s.rule, widths[i])
			}
			b.WriteString(s.begin + strings.Join(cells, s.between) + s.end + "\n")
		}
	}
}

package main

import (
	"fmt"
	"slices"
	"time"
)

// floor bounds the figure that one of figure, with and delay names.
type floor struct {
	what             string
	scenario         string                              // or the call; empty for figures of the server
	connections      int                                 // 0 for any number
	figure           func(t *trial, f *result) []float64 // no value if it was not measured
	with             string                              // the call with whose time that of a call is compared
	delay            time.Duration                       // of PostgreSQL: the rate is compared with that without
	most             bool                                // the figure must not exceed the floor
	sqlite, postgres bounds
}

// bounds hold what a figure has to reach, and what it is to reach one day; 0 for none.
type bounds struct{ floor, aim float64 }

// floors are those of all figures.
var floors = slices.Concat([]floor{
	{what: "of the ceiling", scenario: "buy-spread", connections: 64, figure: ofCeiling,
		sqlite: bounds{0.27, 0.34}, postgres: bounds{0.20, 0.30}},
	{what: "of the ceiling", scenario: "buy-spread", connections: 1500, figure: ofCeiling,
		sqlite: bounds{0.30, 0.42}, postgres: bounds{0.24, 0.38}},
	{what: "of purchases", scenario: "receipt", connections: 64, figure: speedOf("buy-spread"),
		sqlite: bounds{0.60, 0.85}, postgres: bounds{0.50, 0.80}},
	{what: "of purchases", scenario: "receipt", connections: 1500, figure: speedOf("buy-spread"),
		sqlite: bounds{0.55, 0.85}, postgres: bounds{0.45, 0.80}},
	{what: "of purchases", scenario: "return", connections: 64, figure: speedOf("buy-spread"),
		sqlite: bounds{0.60, 0.80}, postgres: bounds{0.50, 0.80}},
	{what: "of purchases", scenario: "registration", connections: 64, figure: speedOf("buy-spread"),
		sqlite: bounds{0.40, 0.70}, postgres: bounds{0.35, 0.70}},
	{what: "of list-bought", scenario: "checkout", connections: 64, figure: speedOf("list-bought"),
		sqlite: bounds{0.50, 0.70}, postgres: bounds{0.50, 0.70}},
	{what: "of list-bought", scenario: "checkout", connections: 1500, figure: speedOf("list-bought"),
		sqlite: bounds{0.45, 0.70}, postgres: bounds{0.45, 0.70}},
	{what: "time, of a purchase", scenario: "receipt", connections: 1, figure: timeOf("buy-spread"), most: true,
		sqlite: bounds{1.3, 1.1}, postgres: bounds{1.3, 1.1}},
	{what: "statements", scenario: "receipt", connections: 1, figure: statementsOf, most: true,
		sqlite: bounds{floor: 16}, postgres: bounds{floor: 12}},
	{what: "statements", scenario: "registration", connections: 1, figure: statementsOf, most: true,
		sqlite: bounds{floor: 14}, postgres: bounds{floor: 10}},
	{what: "statements", scenario: "transfer", connections: 1, figure: statementsOf, most: true,
		sqlite: bounds{floor: 9}, postgres: bounds{floor: 6}},
	{what: "statements", scenario: "use", connections: 1, figure: statementsOf, most: true,
		sqlite: bounds{floor: 7}, postgres: bounds{floor: 5}},
	{what: "kB written", scenario: "buy-spread", figure: kilobytesEach, most: true,
		sqlite: bounds{20, 10}, postgres: bounds{10, 6}},
	{what: "rate, of one-receipt", scenario: "reserve", with: soldAlone,
		sqlite: bounds{0.50, 0.80}, postgres: bounds{0.50, 0.80}},
	{what: "rate, of one-receipt", scenario: "confirm-reservation", with: soldAlone,
		sqlite: bounds{0.50, 0.80}, postgres: bounds{0.50, 0.80}},
	{what: "start, ms", figure: startTime, most: true, sqlite: bounds{1000, 0}, postgres: bounds{1000, 0}},
	{what: "MB at rest", figure: atRest, most: true, sqlite: bounds{60, 45}, postgres: bounds{60, 45}},
	{what: "MB at the peak", figure: atPeak, most: true, sqlite: bounds{300, 200}, postgres: bounds{300, 200}},
}, listFloors(), shareFloors(), writeFloors())

// listFloors are those of lists beside purchases.
func listFloors() (all []floor) {
	for _, name := range []string{"list-available", "list-bought", "one-campaign"} {
		least := bounds{floor: 0.40}
		if name == "one-campaign" {
			least = bounds{floor: 0.50}
		}
		for _, connections := range []int{64, 1500} {
			all = append(all, floor{what: "of the ceiling", scenario: name, connections: connections, figure: ofCeiling,
				sqlite: least, postgres: least})
		}
	}
	return all
}

// shareFloors are those of writes that are compared with purchases in the same way.
func shareFloors() (all []floor) {
	for _, name := range []string{"transfer", "use", "points"} {
		all = append(all, floor{what: "of purchases", scenario: name, connections: 64, figure: speedOf("buy-spread"),
			sqlite: bounds{0.70, 0.90}, postgres: bounds{0.60, 0.90}})
	}
	return all
}

// writeFloors are those of latency and of PostgreSQL far away, for each write.
func writeFloors() (all []floor) {
	for _, name := range []string{"buy-spread", "receipt", "return", "transfer", "points", "registration", "use"} {
		all = append(all, floor{what: "p99 at half of the load, of the ceiling's", scenario: name, figure: openTail,
			most: true, sqlite: bounds{floor: 2.5}, postgres: bounds{floor: 2.5}},
			floor{what: "p99/p50", scenario: name, connections: 1500, figure: spreadOfLatency, most: true,
				sqlite: bounds{floor: 1.6}, postgres: bounds{floor: 1.6}},
			floor{what: "far away, of its rate", scenario: name, connections: 64, delay: farAway, postgres: bounds{0.40, 0.60}},
			floor{what: "far away, of its rate", scenario: name, connections: 1500, delay: farAway,
				postgres: bounds{0.70, 0.85}})
	}
	return all
}

// farAway is the delay of the floors.
const farAway = 2500 * time.Microsecond

func ofCeiling(_ *trial, f *result) []float64 {
	return some(f.ceiling, func() float64 { return ratio(f.product, f.ceiling, round.speed) })
}

// some returns a figure, or none without rounds.
func some(rounds []round, figure func() float64) []float64 {
	if len(rounds) == 0 {
		return nil
	}
	return []float64{figure()}
}

func (t *trial) resultOf(name string) *result {
	i := slices.IndexFunc(t.results, func(f *result) bool { return f.scenario.name == name })
	if i < 0 {
		return &result{}
	}
	return t.results[i]
}

// speedOf compares rates with those of another scenario in the same rounds.
func speedOf(name string) func(*trial, *result) []float64 { return compared(name, round.speed) }

// timeOf compares medians of times.
func timeOf(name string) func(*trial, *result) []float64 { return compared(name, round.half) }

func compared(name string, figure func(round) float64) func(*trial, *result) []float64 {
	return func(t *trial, f *result) []float64 {
		other := t.resultOf(name).product
		return some(other, func() float64 { return ratio(f.product, other, figure) })
	}
}

func statementsOf(_ *trial, f *result) []float64 {
	return []float64{middle(f.product, round.statementsEach)}
}

func kilobytesEach(_ *trial, f *result) []float64 {
	return []float64{middle(f.product, round.bytes) / 1000}
}

func spreadOfLatency(_ *trial, f *result) []float64 {
	return []float64{middle(f.product, round.spread)}
}

func openTail(t *trial, f *result) []float64 {
	i := slices.Index(t.loads, 50)
	if i < 0 {
		return nil
	}
	return some(f.open[i], func() float64 { return ratio(f.open[i], f.ceiling, round.tail) })
}

func startTime(t *trial, _ *result) []float64 { return []float64{float64(t.started.Milliseconds())} }

func atRest(t *trial, _ *result) []float64 { return []float64{float64(t.memoryAtRest >> 20)} }

func atPeak(t *trial, _ *result) []float64 { return []float64{float64(t.memoryPeak >> 20)} }

const floorLegend = `
What must be reached, and what is to be reached one day.`

// floorTable compares what was measured with its floors.
func (r *report) floorTable() table {
	t := table{legend: floorLegend, lines: [][]string{{
		"engine", "figure", "connections", "value", "floor", "verdict", "aim",
	}}}
	for _, l := range floors {
		switch {
		case l.with != "":
			r.addCalls(&t, l)
		case l.delay != 0:
			r.addFar(&t, l)
		default:
			r.addTrials(&t, l)
		}
	}
	return t
}

func (r *report) addTrials(t *table, l floor) {
	for _, trial := range r.trials {
		f := trial.resultOf(l.scenario)
		if l.connections != 0 && l.connections != trial.connections || l.scenario != "" && f.scenario == nil {
			continue
		}
		for _, value := range l.figure(trial, f) {
			t.addVerdict(l, trial.engine.name, trial.connections, value)
		}
	}
}

func (r *report) addFar(t *table, l floor) {
	for _, trial := range r.far {
		at := slices.Index(trial.delays, l.delay)
		for i, f := range trial.results {
			if at >= 0 && f.scenario.name == l.scenario && trial.connections == l.connections {
				t.addVerdict(l, trial.engine.name, trial.connections, ratio(trial.delayed[i][at], f.product, round.speed))
			}
		}
	}
}

func (r *report) addCalls(t *table, l floor) {
	for _, f := range r.called {
		for _, other := range r.called {
			if f.name == l.scenario && other.name == l.with && f.engine == other.engine {
				t.addVerdict(l, f.engine, 1, median(other.took)/median(f.took))
			}
		}
	}
}

func (t *table) addVerdict(l floor, engine string, connections int, value float64) {
	b, verdict := l.sqlite, "reached"
	if engine == "postgres" {
		b = l.postgres
	}
	if b.floor == 0 {
		return
	}
	if l.most && value > b.floor || !l.most && value < b.floor {
		verdict = "MISSED"
	}
	figure := l.what
	if l.scenario != "" {
		figure = l.scenario + ": " + l.what
	}
	aim := ""
	if b.aim != 0 {
		aim = fmt.Sprintf("%g", b.aim)
	}
	t.add(engine, figure, fmt.Sprint(connections), fmt.Sprintf("%.2f", value), fmt.Sprintf("%g", b.floor), verdict, aim)
}

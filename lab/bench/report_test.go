package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// reached is a result of a scenario. Rates of the ceiling are 100.
func reached(t *testing.T, name string, rounds ...round) *result {
	t.Helper()
	chosen, err := chooseScenarios(name)
	if err != nil {
		t.Fatal(err)
	}
	f := &result{scenario: chosen.scenarios[0], product: rounds}
	for range rounds {
		f.ceiling = append(f.ceiling, round{rate: 100, p50: 1, p99: 10, answered: 1})
	}
	return f
}

func rate(rate float64, p99 time.Duration) round {
	return round{rate: rate, p50: 10, p99: p99, answered: 1}
}

func write(t *testing.T, r *report) string {
	t.Helper()
	var text strings.Builder
	if err := r.write(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestRatioIsTheMedianOfTheRounds(t *testing.T) {
	// The machine halves its speed in the second round: the ratio of the medians would be 0.75.
	product := []round{rate(40, 20), rate(30, 30), rate(10, 10)}
	ceiling := []round{rate(100, 10), rate(40, 10), rate(40, 10)}
	if got := ratio(product, ceiling, round.speed); got != 0.4 {
		t.Errorf("ratio %v, want 0.4", got)
	}
	if got := ratio(product, ceiling, round.tail); got != 2 {
		t.Errorf("ratio of the p99 %v, want 2", got)
	}
}

func TestMedian(t *testing.T) {
	for want, values := range map[float64][]float64{2: {3, 1, 2}, 2.5: {4, 1, 3, 2}, 7: {7}} {
		if got := median(values); got != want {
			t.Errorf("median of %v is %v, want %v", values, got, want)
		}
	}
}

func TestReportComparesWithFloors(t *testing.T) {
	b := &bencher{options: &options{delays: []time.Duration{farAway}}}
	many := &trial{bencher: b, engine: &engine{name: "sqlite"}, connections: 1500, memoryAtRest: 61 << 20,
		results: []*result{
			reached(t, "buy-spread", rate(30, 14)), reached(t, "buy-hot", rate(29, 15)), reached(t, "receipt", rate(6, 20)),
		}}
	few := &trial{bencher: b, engine: &engine{name: "postgres"}, connections: 64, results: []*result{
		reached(t, "buy-spread", rate(20, 25)), reached(t, "list-bought", rate(39, 10)), reached(t, "receipt", rate(9, 20)),
	}}
	far := &farTrial{trial: few, delayed: [][][]round{{{rate(6, 20)}}, {{rate(17, 10)}}, {{rate(4, 10)}}}}
	r := &report{options: b.options, trials: []*trial{many, few}, far: []*farTrial{far}, called: []*called{
		{engine: "sqlite", name: soldAlone, took: []float64{900}, statements: []float64{16}},
		{engine: "sqlite", name: "reserve", took: []float64{1800}, statements: []float64{30}},
	}}
	lines := strings.Split(write(t, r), "\n")
	for _, want := range [][]string{
		{"sqlite", "buy-spread: of the ceiling", "1500", "0.30", "0.3", "reached", "0.42"},
		{"sqlite", "buy-hot", "1500", "0.97"},
		{"sqlite", "receipt: of purchases", "1500", "0.20", "0.55", "MISSED"},
		{"sqlite", "MB at rest", "1500", "61.00", "60", "MISSED"},
		{"sqlite", "buy-spread: p99/p50", "1500", "1.40", "1.6", "reached"},
		{"sqlite", "reserve: rate, of one-receipt", "1", "0.50", "0.5", "reached"},
		{"postgres", "receipt: of purchases", "64", "0.45", "0.5", "MISSED"},
		{"postgres", "buy-spread: of the ceiling", "64", "0.20", "0.2", "reached"},
		{"postgres", "list-bought: of the ceiling", "64", "0.39", "0.4", "MISSED"},
		{"postgres", "buy-spread: far away, of its rate", "64", "0.30", "0.4", "MISSED"},
		{"postgres", "receipt: far away, of its rate", "64", "0.44", "0.4", "reached"},
	} {
		found := false
		for _, line := range lines {
			all := true
			for _, cell := range want {
				all = all && strings.Contains(line, "| "+cell+" ")
			}
			found = found || all
		}
		if !found {
			t.Errorf("no line has %q in\n%s", want, strings.Join(lines, "\n"))
		}
	}
	if r.problems() != nil {
		t.Error("a floor that is missed is a problem")
	}
	many.problem = errors.New("lost")
	if err := r.problems(); err == nil || err.Error() != "sqlite, 1500 connections: lost" {
		t.Errorf("got %v", err)
	}
}

func TestExceededLimitsAreAProblem(t *testing.T) {
	small := &scenario{name: "small", limits: map[string]limits{"sqlite": {written: 1000, statements: 5, trips: 2}}}
	f := &result{scenario: small, product: []round{
		{answered: 10, written: written{server: 11_000}, statements: 60, trips: 30},
		{answered: 10, written: written{server: 12_000}, statements: 80, trips: 10},
	}}
	for _, c := range []struct {
		engine      string
		connections int
		options     options
		want        string
	}{
		{"sqlite", 64, options{grown: 1}, "small: 1100.0 bytes written for each, at most 1000.0 are allowed"},
		{"sqlite", 1, options{grown: 1}, "small: 6.0 statements for each, at most 5.0 are allowed"},
		{"sqlite", 8, options{grown: 1}, ""},
		{"sqlite", 64, options{grown: 50}, ""},
		{"sqlite", 64, options{grown: 1, quick: true}, ""},
		{"postgres", 64, options{grown: 1}, ""},
	} {
		b := &bencher{options: &c.options}
		err := (&trial{bencher: b, engine: &engine{name: c.engine}, connections: c.connections}).exceeded(f)
		if (err != nil) != (c.want != "") || err != nil && err.Error() != c.want {
			t.Errorf("%s, %d connections, %+v: %v, want %q", c.engine, c.connections, c.options, err, c.want)
		}
	}
}

// Builds are compared round by round, because the machine changes its speed in between.
func TestComparisonIsByRound(t *testing.T) {
	build := func(rates ...float64) *trial {
		var rounds []round
		for _, r := range rates {
			rounds = append(rounds, rate(r, 20))
		}
		f := reached(t, "buy-spread", rounds...)
		return &trial{engine: &engine{name: "sqlite"}, connections: 64, results: []*result{f}}
	}
	r := &report{options: &options{}, comparisons: []*comparison{{
		builds: []string{"/a/new", "/b/old"}, trials: []*trial{build(100, 50, 10, 100), build(110, 60, 9, 105)},
	}}}
	text := write(t, r)
	for _, want := range []string{"| new ", "| old ", "| 1.075 (1.05, 1.10) ", "| 1.000 (1.00, 1.00) "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

func TestReadNumber(t *testing.T) {
	name := filepath.Join(t.TempDir(), "io")
	if err := os.WriteFile(name, []byte("read_bytes: 7\nwrite_bytes: 4096 B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := readNumber(name, "write_bytes"); err != nil || n != 4096 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := readNumber(name, "wchar"); err == nil || !strings.Contains(err.Error(), "has no wchar") {
		t.Errorf("a missing name: %v", err)
	}
}

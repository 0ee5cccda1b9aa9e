package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func measured(engine, name string, connections int, product, ceiling []round) *result {
	chosen, err := chooseScenarios(name)
	if err != nil {
		panic(err) // the names stand in this file
	}
	return &result{
		engine: engine, scenario: chosen.scenarios[0], connections: connections, product: product, ceiling: ceiling,
	}
}

func TestRatioIsTheMedianOfTheRounds(t *testing.T) {
	// The machine halves its speed in the second round: the ratio of the medians would be 0.75.
	found := measured("sqlite", "buy-hot", 64,
		[]round{{rate: 40, p99: 20}, {rate: 30, p99: 30}, {rate: 10, p99: 10}},
		[]round{{rate: 100, p99: 10}, {rate: 40, p99: 10}, {rate: 40, p99: 10}})
	if got := found.ratio(round.speed); got != 0.4 {
		t.Errorf("ratio %v, want 0.4", got)
	}
	if got := found.ratio(round.tail); got != 2 {
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

func TestReportTellsWhichGoalsAreReached(t *testing.T) {
	r := &report{options: &options{rounds: 1, connections: []int{1500}}}
	one := func(rate float64, p99 time.Duration) []round { return []round{{rate: rate, p50: 10, p99: p99}} }
	r.add(measured("sqlite", "buy-spread", 1500, one(30, 14), one(100, 10)))
	r.add(measured("sqlite", "buy-hot", 1500, one(29, 15), one(100, 10)))
	r.add(measured("postgres", "buy-spread", 64, one(17, 25), one(100, 10)))
	r.add(measured("postgres", "list-bought", 8, one(39, 1), one(100, 1)))
	r.addInserts("sqlite", inserts{batched: map[int]float64{1500: 90}})
	var text strings.Builder
	if err := r.write(&text, markdownStyle); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	for i, want := range [][]string{
		{"buy-spread", "0.30 reached", "0.33 ", "1.40 reached"},
		{"buy-hot", "0.30 MISSED", "0.32 ", "1.40 MISSED"},
		{"buy-spread", "0.17 reached", "2.50 reached"},
		{"list-bought", "0.40 MISSED"},
	} {
		for _, cell := range want {
			if line := lines[4+i]; !strings.Contains(line, "| "+cell) {
				t.Errorf("line %q lacks %q", line, cell)
			}
		}
	}
	if !strings.Contains(text.String(), "| sqlite | 1500        | 0.97 ") {
		t.Errorf("hot is not compared with spread in\n%s", text.String())
	}
	if r.problems() != nil {
		t.Error("a goal that is missed is a problem")
	}
	r.results[0].problem = errors.New("lost")
	if err := r.problems(); err == nil || !strings.Contains(err.Error(), "sqlite buy-spread, 1500 connections: lost") {
		t.Errorf("got %v", err)
	}
}

func TestReportComparesRegularsWithNewcomers(t *testing.T) {
	r := &report{options: &options{rounds: 1}}
	cost := func(each ...time.Duration) (rounds []round) {
		for _, c := range each {
			rounds = append(rounds, round{cost: c * time.Microsecond, answered: 1})
		}
		return rounds
	}
	r.regulars = []*regularsResult{
		{engine: "sqlite", newcomer: cost(100, 300, 200), regular: cost(105, 300, 150)},
		{engine: "postgres", newcomer: cost(100), regular: cost(300), problem: errors.New("lost")},
	}
	var text strings.Builder
	if err := r.write(&text, textStyle); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1.00   1.10 reached", "3.00   1.10 MISSED"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if err := r.problems(); err == nil || err.Error() != "postgres, buy-regulars: lost" {
		t.Errorf("got %v", err)
	}
}

func TestBooksMustExplainEachOther(t *testing.T) {
	before := books{purchases: 10, codes: 10, sold: 10, points: 5000, paid: 1000}
	good := books{purchases: 12, codes: 12, sold: 12, points: 4800, paid: 1200}
	if err := good.check(before, 2); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(b *books){
		"a purchase is lost":         func(b *books) { b.purchases, b.codes, b.sold = 11, 11, 11 },
		"a code is sold twice":       func(b *books) { b.codes = 11 },
		"the counter is wrong":       func(b *books) { b.sold = 13 },
		"points are gone":            func(b *books) { b.points = 4700 },
		"a purchase charges nothing": func(b *books) { b.paid = 1100 },
	} {
		bad := good
		spoil(&bad)
		if err := bad.check(before, 2); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Builds are compared round by round, because the machine changes its speed in between.
func TestComparisonIsByRound(t *testing.T) {
	build := func(rates ...float64) *result {
		var rounds []round
		for _, rate := range rates {
			rounds = append(rounds, round{rate: rate, p50: 1, p99: 2, cost: 100, written: written{server: 10}, answered: 1})
		}
		return measured("sqlite", "buy-spread", 64, rounds, nil)
	}
	r := &report{options: &options{}, comparisons: []*comparison{{
		builds: []string{"/a/new", "/b/old"}, results: []*result{build(100, 50, 10, 100), build(110, 60, 9, 105)},
	}}}
	var text strings.Builder
	if err := r.write(&text, markdownStyle); err != nil || r.problems() != nil {
		t.Fatal(err, r.problems())
	}
	for _, want := range []string{"| new ", "| old ", "| 1.075 (1.05, 1.10) ", "| 1.000 (1.00, 1.00) "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, text.String())
		}
	}
}

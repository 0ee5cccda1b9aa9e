package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"punchcard/platform/db/dbtest"
	"punchcard/platform/testmode"
)

// Every fault and every disturbance strikes at least once, on both databases.
func TestRounds(t *testing.T) {
	testmode.SkipQuick(t)
	program, err := build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			all, err := soak(t.Context(), options{
				program: program, engines: []string{engine}, rounds: 2, strikes: 4, seed: 7, clients: 16,
				shortest: 100 * time.Millisecond, longest: 500 * time.Millisecond,
			}, t.Output())
			if err != nil {
				t.Fatal(err)
			}
			if len(all) != 1 || all[0].rounds != 2 || all[0].verified <= 2*2*customersOfRound { // more than the set-up
				t.Errorf("%+v", all)
			}
			kinds := map[string]int{
				"sqlite": 2 + len(toQueue) + len(anywhere), "postgres": 3 + len(toQueue) + len(anywhere) + len(toDatabase),
			}
			if len(all[0].strikes) != kinds[engine] || all[0].operations == 0 || all[0].undecided > 0 {
				t.Errorf("%+v", all)
			}
		})
	}
}

// Broken promises are found.
func TestBrokenPromisesAreFound(t *testing.T) {
	testmode.SkipQuick(t)
	answered := func(o outcome, units int, ids ...string) *call {
		return &call{fact: "purchase", outcome: o, units: units, named: ids}
	}
	stored := func(ids ...string) facts {
		f := facts{}
		for _, id := range ids {
			f.add("purchase", id)
		}
		return f
	}
	for _, c := range []struct {
		name   string
		calls  []*call
		stored facts
		want   string // part of the one finding; empty for none
	}{
		{"acknowledged and stored", []*call{answered(acknowledged, 2, "a", "b")}, stored("a", "b"), ""},
		{"refused and not stored", []*call{answered(refused, 1)}, stored(), ""},
		{"acknowledged and not stored", []*call{answered(acknowledged, 1, "a")}, stored(),
			"purchase a was acknowledged and is not stored"},
		{"refused and stored", []*call{answered(refused, 1)}, stored("a"), "purchase a is stored and was not acknowledged"},
		{"stored twice", []*call{answered(acknowledged, 1, "a")}, stored("a", "b"),
			"purchase b is stored and was not acknowledged"},
		{"sold to two buyers", []*call{answered(acknowledged, 1, "a"), answered(acknowledged, 1, "a")}, stored("a"),
			"answered twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := compare(c.calls, c.stored)
			if c.want == "" && found != nil || c.want != "" && (len(found) != 1 || !strings.Contains(found[0], c.want)) {
				t.Errorf("found %q", found)
			}
		})
	}
	of := func(ids ...string) map[string]bool {
		set := map[string]bool{}
		for _, id := range ids {
			set[id] = true
		}
		return set
	}
	found := differences("coupon", of("a", "b"), of("b", "c"))
	want := []string{"there is no event about coupon a", "there is an event about coupon c, which is not stored"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q", found)
	}
}

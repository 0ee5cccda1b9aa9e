package main

import (
	"context"
	"fmt"
	"time"
)

// An open loop sends requests at a fixed rate, whether or not earlier ones were answered, as people do. Latency counts
// from the moment when a request was to be sent: one that finds no free connection waits in the client, and that
// counts, too. A closed loop, in which each connection waits for its answer, sends less just when the server is slow.

// schedule sets the times of an open loop, which begins now.
func (c *course) schedule() {
	c.begin = time.Now()
	c.from.Store(c.begin.Add(c.plan.WarmUp).UnixNano())
}

// next returns when the next request of an open loop is to be sent, and whether it is measured. There is none after
// the measured time.
func (c *course) next() (intended time.Time, counts, over bool) {
	number := c.arrived.Add(1) - 1
	intended = c.begin.Add(time.Duration(float64(number) / c.plan.Rate * float64(time.Second)))
	since := intended.Sub(c.begin) - c.plan.WarmUp
	return intended, since >= 0, since >= c.plan.Measure
}

// runOpen sends requests at their times, or as soon after as the connection is free.
func (c *client) runOpen(ctx context.Context) {
	for ctx.Err() == nil {
		intended, counts, over := c.course.next()
		if over {
			return
		}
		time.Sleep(time.Until(intended))
		if !c.extendDeadline(time.Now()) {
			return
		}
		if !c.exchange() {
			return
		}
		if counts {
			c.times.add(time.Since(intended))
		}
	}
}

func (r *report) openTable() table {
	t := table{legend: openLegend, lines: [][]string{{
		"engine", "scenario", "connections", "load %", "arrivals/s", "p50 ms", "p99 ms", "p99.9 ms",
	}}}
	for _, trial := range r.trials {
		for _, f := range trial.results {
			for i, rounds := range f.open {
				if len(rounds) > 0 {
					t.add(trial.engine.name, f.scenario.name, fmt.Sprint(trial.connections), fmt.Sprint(trial.loads[i]),
						whole(middle(rounds, round.speed)), milliseconds(middle(rounds, round.half)),
						milliseconds(middle(rounds, round.tail)), milliseconds(middle(rounds, round.lastTail)))
				}
			}
		}
	}
	return t
}

const openLegend = `
Requests that arrive at a fixed rate, in per cent of what the closed loop reached in the same round. Latency counts from
the moment of arrival, the time without a free connection included.`

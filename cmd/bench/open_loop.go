package main

import (
	"context"
	"fmt"
	"time"
)

// An open loop sends requests at a fixed rate, whether or not earlier ones were answered, as people do. Latency counts
// from the moment when a request was to be sent: one that finds no free connection waits in the client, and that
// counts, too. A closed loop, in which each connection waits for its answer, sends less just when the server is slow.

// openResult is the latency of purchases that arrive at a share of the rate of the closed loop.
type openResult struct {
	engine      string
	connections int
	percent     int // of the rate of the closed loop in the same round
	rounds      []round
}

// openLoops measures the product at each load, in per cent of the rate that the closed loop has just reached.
func (t *trial) openLoops(ctx context.Context, plan loadPlan, maximum float64) error {
	if !t.result.scenario.open {
		return nil
	}
	for i, percent := range t.loads {
		if len(t.result.open) <= i {
			t.result.open = append(t.result.open, &openResult{
				engine: t.engine.name, connections: plan.Connections, percent: percent,
			})
		}
		plan.Rate = maximum * float64(percent) / 100
		found, answered, err := t.turn(ctx, t.server, &plan)
		if err != nil {
			return fmt.Errorf("open loop of %d %%: %w", percent, err)
		}
		t.answered += answered
		t.result.open[i].rounds = append(t.result.open[i].rounds, found)
		progress("%s %s, %d connections, %.0f/s arrive: p50 %s, p99 %s, p99.9 %s", t.engine.name,
			t.result.scenario.name, plan.Connections, plan.Rate, found.p50, found.p99, found.p999)
	}
	return nil
}

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

// openTable has the latencies of the open loops.
func (r *report) openTable() [][]string {
	lines := [][]string{{"engine", "connections", "load %", "arrivals/s", "p50 ms", "p99 ms", "p99.9 ms"}}
	for _, f := range r.results {
		for _, open := range f.open {
			lines = append(lines, []string{
				open.engine, fmt.Sprint(open.connections), fmt.Sprint(open.percent),
				fmt.Sprintf("%.0f", middle(open.rounds, round.speed)), milliseconds(middle(open.rounds, round.half)),
				milliseconds(middle(open.rounds, round.tail)), milliseconds(middle(open.rounds, round.lastTail)),
			})
		}
	}
	return lines
}

func (r round) lastTail() float64 { return float64(r.p999) }

const openLegend = `
Purchases that arrive at a fixed rate, in per cent of what the closed loop sold in the same round. Latency counts
from the moment of arrival, the time without a free connection included.

`

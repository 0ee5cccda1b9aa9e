// Package health tells which program answers and whether the parts it stands on work.
package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"punchcard/api"
	"punchcard/api/access"
)

// ProbeTimeout is how long a component may take to answer before it counts as failing.
const ProbeTimeout = 2 * time.Second

// Probe is one component that the product cannot do without.
type Probe struct {
	Name  string
	Probe func(ctx context.Context) error // ctx ends after ProbeTimeout
}

// Endpoints are the version and the health check, open to everybody.
func Endpoints(version string, probes ...Probe) []api.Endpoint {
	components := make([]*component, len(probes))
	for i, probe := range probes {
		components[i] = &component{Probe: probe, limit: ProbeTimeout}
	}
	return []api.Endpoint{
		{Method: "GET", Path: "/api/", Access: access.Public(), Handle: func(c *api.Call) error {
			return c.OK(product{Name: "Punchcard", Version: version})
		}, Section: "37", Summary: "Show which version answers", Answer: product{}},
		{Method: "GET", Path: "/api/healthcheck", Access: access.Public(), Handle: func(c *api.Call) error {
			return answer(c, components)
		}, Section: "38", Summary: "Check the parts that the service stands on", Answer: api.NoContent{},
			Also: map[int]any{503: []entry{}}},
	}
}

type product struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// entry is the status of one component. Its message is one of a few fixed sentences, because everybody
// may read it; the reason is in the log.
type entry struct {
	Name    string `json:"name"`
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

const (
	statusOK      = "OK"
	statusProblem = "Problem"
)

func answer(c *api.Call, components []*component) error {
	entries := make([]entry, len(components))
	ctx, log := c.Context(), c.Log()
	var asking sync.WaitGroup
	for i, component := range components {
		asking.Go(func() {
			entries[i] = entry{Name: component.Name, Status: statusOK}
			if err := component.ask(ctx, log); err != nil {
				entries[i] = entry{Name: component.Name, Status: statusProblem, Message: component.explain(err)}
			}
		})
	}
	asking.Wait()
	for _, e := range entries {
		if e.Status != statusOK {
			return c.JSON(503, entries)
		}
	}
	return c.NoContent()
}

// component runs its probe once at a time, whatever the number of callers: one that hangs costs one
// goroutine, and nobody can flood the database with questions about its health.
type component struct {
	Probe
	limit time.Duration

	mutex   sync.Mutex
	running *attempt
	failure string // of the last attempt, so that a problem is logged once
}

type attempt struct {
	done chan struct{}
	err  error
}

// ask waits for the running attempt, or a new one, for as long as a component may take.
func (c *component) ask(ctx context.Context, log *slog.Logger) error {
	current := c.attempt(ctx, log)
	timer := time.NewTimer(c.limit)
	defer timer.Stop()
	select {
	case <-current.done:
		return current.err
	case <-timer.C:
		return context.DeadlineExceeded
	}
}

func (c *component) attempt(ctx context.Context, log *slog.Logger) *attempt {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.running != nil {
		return c.running
	}
	current := &attempt{done: make(chan struct{})}
	c.running = current
	// Others wait for the same attempt, so it does not end with the request that began it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.limit)
	go func() {
		defer cancel()
		current.err = c.protected(ctx)
		c.mutex.Lock()
		c.running = nil
		failure := ""
		if current.err != nil {
			failure = current.err.Error()
		}
		if failure != c.failure {
			log.Warn("health of a component", "component", c.Name, "error", current.err)
		}
		c.failure = failure
		c.mutex.Unlock()
		close(current.done)
	}()
	return current
}

func (c *component) protected(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return c.Probe.Probe(ctx)
}

func (c *component) explain(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("no answer within %v", c.limit)
	}
	return "it does not work; the log says why"
}

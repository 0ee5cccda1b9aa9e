// Package health has the endpoints that return the version and check the components of the service.
package health

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
)

// ProbeTimeout is the time after which a component that does not respond counts as failing.
const ProbeTimeout = 2 * time.Second

// Probe checks one component of the service.
type Probe struct {
	Name  string
	Probe func(ctx context.Context) error // ctx ends after ProbeTimeout
	// Needed means that no request can be served without the component.
	Needed bool
}

// Copy is how far the copy off the machine is behind the database.
type Copy struct {
	LagSeconds float64 `json:"lagSeconds"` // age of the oldest write that the copy does not have
	LagBytes   int64   `json:"lagBytes"`
}

// Node reports the state of a server for readiness.
type Node struct {
	Draining func() bool  // whether it is stopping
	Copy     func() *Copy // nil without a copy
}

// Endpoints returns the endpoints, which are public.
func Endpoints(version string, node Node, probes ...Probe) []api.Endpoint {
	components := make([]*component, len(probes))
	for i, probe := range probes {
		components[i] = &component{Probe: probe, limit: ProbeTimeout}
	}
	return []api.Endpoint{
		{Method: "GET", Path: "/api/", Access: access.Public(), Do: api.Tell(func(*api.Call) (product, error) {
			return product{Name: "Punchcard", Version: version}, nil
		}), Summary: "Show which version answers"},
		{Method: "GET", Path: "/api/healthcheck", Access: access.Public(), Do: api.Tell(func(c *api.Call) (
			none api.NoContent, err error) {
			return none, check(c, components)
		}), Summary: "Check the parts that the service stands on",
			Also: map[int]any{503: []entry{}}},
		{Method: "GET", Path: "/livez", Access: access.Public(), Do: api.Tell(func(*api.Call) (liveness, error) {
			return liveness{Live: true}, nil
		}), Summary: "Tell that the process answers; restart it if this fails"},
		{Method: "GET", Path: "/readyz", Access: access.Public(), Do: api.Tell(func(c *api.Call) (readiness, error) {
			return showReadiness(c, node, components)
		}), Summary: "Tell whether the node can serve; send it no requests if not",
			Also: map[int]any{503: readiness{}}},
	}
}

type liveness struct {
	Live bool `json:"live"`
}

// readiness is the response of /readyz. Reason is empty, draining, or the name of a component.
type readiness struct {
	Ready  bool   `json:"ready"`
	Reason string `json:"reason,omitempty"`
	Copy   *Copy  `json:"copy,omitempty"`
}

// showReadiness responds with 503 while the server drains, and while a component fails that every request needs.
func showReadiness(c *api.Call, node Node, components []*component) (shown readiness, err error) {
	if node.Draining() {
		return shown, &api.Reply{Status: 503, Body: readiness{Reason: "draining"}}
	}
	for _, component := range components {
		if component.Needed && component.probe(c.Context(), c.Log()) != nil {
			return shown, &api.Reply{Status: 503, Body: readiness{Reason: component.Name}}
		}
	}
	return readiness{Ready: true, Copy: node.Copy()}, nil
}

type product struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// entry is the status of a component. Its message is one of a few fixed sentences, because the endpoint is public; the
// reason is in the log.
type entry struct {
	Name    string `json:"name"`
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

const (
	statusOK      = "OK"
	statusProblem = "Problem"
)

// check runs all probes. If one fails, the call is answered with 503 and a list of the components.
func check(c *api.Call, components []*component) error {
	entries := make([]entry, len(components))
	ctx, log := c.Context(), c.Log()
	var probes sync.WaitGroup
	for i, component := range components {
		probes.Go(func() {
			entries[i] = entry{Name: component.Name, Status: statusOK}
			if err := component.probe(ctx, log); err != nil {
				entries[i] = entry{Name: component.Name, Status: statusProblem, Message: component.explain(err)}
			}
		})
	}
	probes.Wait()
	for _, e := range entries {
		if e.Status != statusOK {
			return &api.Reply{Status: 503, Body: entries}
		}
	}
	return nil
}

// component runs one probe at a time for all callers: a probe that hangs occupies one goroutine, and health checks
// cannot overload the database.
type component struct {
	Probe
	limit time.Duration

	mutex   sync.Mutex
	running *attempt
	failure string // of the last attempt; a problem is logged once
}

type attempt struct {
	done chan struct{}
	err  error
}

// probe waits for the running attempt, or a new one, up to the limit.
func (c *component) probe(ctx context.Context, log *slog.Logger) error {
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
	// Other callers wait for the same attempt, so it does not end with the request that started it.
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
			log.Warn("health of a component changed", "component", c.Name, "error", current.err)
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

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"

	"punchcard/app"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/identity/auth"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/web"
)

// ceilingCommand runs this program as the ceiling: the server and checks of the product, without
// any feature.
const ceilingCommand = "ceiling"

// ceilingPlan has the responses of the ceiling.
type ceilingPlan struct {
	URL, File string // of the database, as db.Config has them
	Responses []ceilingResponse
}

// ceilingResponse is the response of the product to a request of a scenario.
type ceilingResponse struct {
	Scenario string
	Body     []byte
}

// serveCeiling reads a plan from standard input, prints its address like the product, and serves
// until ctx ends. It verifies the token, looks up the store and logs the request like the product.
func serveCeiling(ctx context.Context) (err error) {
	app.CollectGarbage()
	var plan ceilingPlan
	if err := json.NewDecoder(os.Stdin).Decode(&plan); err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	d, err := dbopen.Open(ctx, db.Config{URL: plan.URL, File: plan.File, Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	stores := store.NewDirectory(d)
	a, err := auth.New(ctx, auth.Config{DB: d, Stores: stores})
	if err != nil {
		return err
	}
	server := &api.Server{DB: d, Stores: stores, Authenticate: a.Authenticate}
	handler, err := web.NewHandler(web.Config{
		Routes: server.Routes(api.Complete(plan.endpoints())), Log: log, NewID: db.NewID, Clock: d.Now,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if _, err := fmt.Printf("the ceiling serves http://%s\n", listener.Addr()); err != nil {
		return err
	}
	return web.Serve(ctx, listener, handler, web.ServerConfig{Log: log})
}

// endpoints returns the endpoints of all scenarios. Two that share one get the response of the first.
func (p *ceilingPlan) endpoints() []api.Endpoint {
	var all []api.Endpoint
	for _, r := range p.Responses {
		s := scenarios[slices.IndexFunc(scenarios, func(s *scenario) bool { return s.name == r.Scenario })]
		if !slices.ContainsFunc(all, func(e api.Endpoint) bool { return e.Method == s.method && e.Path == s.pattern }) {
			all = append(all, api.Endpoint{Method: s.method, Path: s.pattern, Access: s.rule, Factor: api.Everyday,
				Audit:  api.Audited("Bench", "none"),
				Handle: r.handle})
		}
	}
	return all
}

func (r ceilingResponse) handle(c *api.Call) error {
	if _, err := c.Body(); err != nil {
		return err
	}
	c.ResponseHeader()["Cache-Control"] = noStore
	return c.Bytes(200, "application/json", r.Body)
}

var noStore = []string{"no-store"}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"

	"punchcard/api"
	"punchcard/app"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/web"
)

// ceilingCommand makes this program the ceiling: the product's server and checks, without a feature behind.
const ceilingCommand = "ceiling"

// ceilingPlan says what the ceiling answers.
type ceilingPlan struct {
	URL, File string // of the database, as db.Config has them
	Scenario  string
	Body      []byte // what the product answered
}

// serveCeiling reads a plan from standard input, says where it serves as the product does, and answers until ctx ends.
// The token is verified, the store found and the request logged as in the product.
func serveCeiling(ctx context.Context) (err error) {
	app.CollectGarbage()
	var plan ceilingPlan
	if err := json.NewDecoder(os.Stdin).Decode(&plan); err != nil {
		return err
	}
	chosen, err := chooseScenarios(plan.Scenario)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	d, err := db.Open(ctx, db.Config{URL: plan.URL, File: plan.File, Log: log})
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
		Routes: server.Routes(plan.endpoints(&chosen[0])), Log: log, NewID: db.NewID, Clock: d.Now,
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

func (p *ceilingPlan) endpoints(s *scenario) []api.Endpoint {
	return []api.Endpoint{{Method: s.method, Path: s.pattern, Access: s.rule, Handle: func(c *api.Call) error {
		c.ResponseHeader()["Cache-Control"] = noStore
		return c.Bytes(200, "application/json", p.Body)
	}}}
}

var noStore = []string{"no-store"}

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
	"punchcard/platform/db/dbopen"
	"punchcard/platform/web"
)

// ceilingCommand runs this program as the ceiling: the server and checks of the product, without
// any feature.
const ceilingCommand = "ceiling"

// ceilingPlan is the response of the ceiling.
type ceilingPlan struct {
	URL, File string // of the database, as db.Config has them
	Scenario  string
	Body      []byte // response of the product
}

// serveCeiling reads a plan from standard input, prints its address like the product, and serves
// until ctx ends. It verifies the token, looks up the store and logs the request like the product.
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
		Routes: server.Routes(plan.endpoints(&chosen.scenarios[0])), Log: log, NewID: db.NewID, Clock: d.Now,
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
		if _, err := c.Body(); err != nil {
			return err
		}
		c.ResponseHeader()["Cache-Control"] = noStore
		return c.Bytes(200, "application/json", p.Body)
	}}}
}

var noStore = []string{"no-store"}

package main

import (
	"context"

	"punchcard/app"
)

type askHealth struct {
	app.Config
	Ready bool   `help:"Ask whether the server can serve, not only whether it answers."`
	URL   string `name:"url" placeholder:"URL" help:"Address to ask, if the flags are not those of the server."`
}

// Help describes the use in containers.
func (askHealth) Help() string {
	return "Asks /livez of the server that runs on this machine with the same settings, or /readyz with --ready. " +
		"The exit status is 0 if it answers with 200, else 1. It is the health check of the container image."
}

// Run runs the command.
func (h *askHealth) Run(ctx context.Context) error { return app.Health(ctx, h.Config, h.URL, h.Ready) }

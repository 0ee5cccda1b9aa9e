package main

import (
	"context"
	"errors"
	"os"

	"punchcard/app"
)

// exit is an error that ends the process with a status of its own.
type exit struct {
	error
	status int
}

// ExitCode is the status.
func (e exit) ExitCode() int { return e.status }

var errFindings = errors.New("the data does not fit together")

type checkData struct{ app.Database }

// Help tells what is checked and what the exit status means.
func (checkData) Help() string {
	return "Holds every rule against the data as it is at one moment; the server may run meanwhile. Each finding is " +
		"one line: the rule, the inner key of the store, the id, what is and what should be.\n\nThe exit status is 0 " +
		"when everything fits together, 1 when something was found, and 2 when the data could not be read."
}

// Run runs the command.
func (c *checkData) Run(ctx context.Context) error {
	findings, err := app.Check(ctx, c.Database, os.Stdout, os.Stderr)
	switch {
	case err != nil:
		return exit{err, 2}
	case findings > 0:
		return exit{errFindings, 1}
	}
	return nil
}

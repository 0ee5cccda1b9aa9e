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

var errFindings = errors.New("the data is inconsistent")

type checkData struct{ app.Database }

// Help describes the checks and the exit status.
func (checkData) Help() string {
	return "Checks every rule on a snapshot of the data; the server may run meanwhile. Each finding is one line: the " +
		"rule, the internal key of the store, the id, the value found and the value expected.\n\nThe exit status is " +
		"0 without findings, 1 with findings, and 2 when the data could not be read."
}

func (c *checkData) Run(ctx context.Context) error {
	return exitStatus(app.Check(ctx, c.Database, app.Kinds{}, os.Stdout, os.Stderr))
}

// exitStatus returns the error with the exit status of a check.
func exitStatus(findings int64, err error) error {
	switch {
	case err != nil:
		return exit{err, 2}
	case findings > 0:
		return exit{errFindings, 1}
	}
	return nil
}

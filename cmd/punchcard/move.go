package main

import (
	"context"
	"os"

	"punchcard/app"
)

type move struct{ app.Moving }

// Help describes what moves, and what a move needs.
func (move) Help() string {
	return "Copies everything from a SQLite data folder to PostgreSQL, or back, and verifies each table. Stop all " +
		"servers first. The source stays as it is; the target must be empty, and nothing is in it until the end, so that " +
		"a move that was stopped can be started again. See docs/moving.md."
}

// Run runs the command.
func (m *move) Run(ctx context.Context) error {
	return app.Move(ctx, m.Moving, app.Kinds{}, os.Stdout, os.Stderr)
}

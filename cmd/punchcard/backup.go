package main

import (
	"context"
	"os"

	"punchcard/app"
)

type backup struct {
	app.Database
	File  string `arg:"" help:"File to write."`
	Force bool   `help:"Replace the file if it is there."`
}

// Run runs the command.
func (b *backup) Run(ctx context.Context) error {
	return app.Backup(ctx, b.Database, b.File, b.Force, os.Stdout, os.Stderr)
}

type restore struct {
	app.Database
	File  string `arg:"" help:"Backup to read."`
	Force bool   `help:"Replace the database if it is there; it is kept as punchcard.db.before-restore."`
}

// Run runs the command.
func (r *restore) Run(ctx context.Context) error {
	return app.Restore(ctx, r.Database, r.File, r.Force, os.Stdout, os.Stderr)
}

package main

import (
	"context"
	"os"

	"punchcard/app"
)

type backup struct {
	app.Database
	File  string `arg:"" help:"File to write."`
	Force bool   `help:"Replace an existing file."`
}

func (b *backup) Run(ctx context.Context) error {
	return app.Backup(ctx, b.Database, b.File, b.Force, os.Stdout, os.Stderr)
}

type restore struct {
	app.Database
	app.Source
	Force  bool `help:"Replace an existing database, which is kept as punchcard.db.before-restore."`
	Verify bool `help:"Restore into a temporary folder, check the data there, and change nothing."`
}

// Help describes the exit status of a rehearsal.
func (restore) Help() string {
	return "With --verify, the exit status is that of punchcard check: 0 without findings, 1 with findings, and 2 when " +
		"the database could not be restored."
}

func (r *restore) Run(ctx context.Context) error {
	if !r.Verify {
		return app.Restore(ctx, r.Database, r.Source, r.Force, os.Stdout, os.Stderr)
	}
	return exitStatus(app.Rehearse(ctx, r.Database, r.Source, os.Stdout, os.Stderr))
}

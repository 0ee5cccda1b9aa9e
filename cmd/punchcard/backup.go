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
	File  string `arg:"" help:"Backup to read."`
	Force bool   `help:"Replace an existing database, which is kept as punchcard.db.before-restore."`
}

func (r *restore) Run(ctx context.Context) error {
	return app.Restore(ctx, r.Database, r.File, r.Force, os.Stdout, os.Stderr)
}

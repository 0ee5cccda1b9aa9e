package app

import (
	"context"
	"errors"
	"fmt"
	"io"

	"punchcard/migrations"
)

// Migrate upgrades the schema, and prints the version before and after.
func Migrate(ctx context.Context, config Database, out, logTo io.Writer) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	before, _, err := d.CheckSchema(ctx, migrations.Files)
	if err != nil {
		return err
	}
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	after, _, err := d.CheckSchema(ctx, migrations.Files)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "schema %d -> %d\n", before, after)
	return err
}

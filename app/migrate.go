package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"punchcard/migrations"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
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

// prepareSchema upgrades the schema for a server, unless the database is not the one to serve.
func (c *Config) prepareSchema(ctx context.Context, d *db.DB, log *slog.Logger) error {
	if err := refuseOtherShop(ctx, c, d, log); err != nil {
		return err
	}
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	return refuseUnfinished(ctx, d)
}

// PlanMigration prints the statements that Migrate would run, and what others would wait for meanwhile.
func PlanMigration(ctx context.Context, config Database, out, logTo io.Writer) (err error) {
	log, err := config.logger(logTo)
	if err != nil {
		return err
	}
	open := config.open(log)
	open.ReadOnly = true
	d, err := dbopen.Open(ctx, open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	steps, err := d.Plan(ctx, migrations.Files)
	if err != nil {
		return err
	}
	var text strings.Builder
	migration, sum := "", time.Duration(0)
	for _, step := range steps {
		if step.Migration != migration {
			migration = step.Migration
			fmt.Fprintf(&text, "%s, in one transaction:\n", migration)
		}
		fmt.Fprintf(&text, "  %s\n    locks %s\n    %d rows, expected %v\n", step.Statement, step.Lock, step.Rows,
			step.Expected.Round(planPrecision))
		sum += step.Expected
	}
	_, err = fmt.Fprintf(out, "%s%d statements, expected %v\n", &text, len(steps), sum.Round(planPrecision))
	return err
}

// planPrecision is the unit to which expected durations are rounded.
const planPrecision = 100 * time.Millisecond

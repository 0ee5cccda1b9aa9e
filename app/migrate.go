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

// Migrate upgrades the schema, and prints the version before and after. On SQLite it makes a backup first, unless bare.
func Migrate(ctx context.Context, config Database, bare bool, out, logTo io.Writer) (err error) {
	d, err := openToWrite(ctx, config, logTo)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	before, _, err := d.CheckSchema(ctx, migrations.Files)
	if err != nil {
		return err
	}
	if !bare {
		if err := backUpFirst(ctx, d, config.file(), newReporter(logTo)); err != nil {
			return err
		}
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
	if err := backUpFirst(ctx, d, c.file(), newReporter(io.Discard)); err != nil {
		return err
	}
	if err := d.Migrate(ctx, migrations.Files); err != nil {
		return err
	}
	return refuseUnfinished(ctx, d)
}

func beforeUpgrade(database string) string { return database + ".before-upgrade" }

// backUpFirst copies a SQLite database that is to be upgraded. The copy replaces that of the upgrade before.
func backUpFirst(ctx context.Context, d *db.DB, file string, report *reporter) (err error) {
	current, newest, err := d.CheckSchema(ctx, migrations.Files)
	if err != nil || d.Engine() != "sqlite" || current == 0 || current >= newest {
		return err
	}
	partial := file + ".partial"
	defer func() { err = errors.Join(err, removeIfThere(partial)) }()
	if err = makePrivate(partial); err == nil {
		err = d.Backup(ctx, partial, func(done, of int) { report.progress("copied", int64(done), int64(of), "pages") })
	}
	if err == nil {
		err = publish(partial, beforeUpgrade(file))
	}
	if err != nil {
		return fmt.Errorf("no backup before the upgrade of the schema from %d to %d, and nothing was changed: %w; "+
			"punchcard migrate --no-backup upgrades without one", current, newest, err)
	}
	return nil
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
			fmt.Fprintf(&text, "%s:\n", migration)
		}
		fmt.Fprintf(&text, "  %s\n    locks %s\n    %d rows, expected %v\n", step.Statement, step.Lock, step.Rows,
			step.Expected.Round(planPrecision))
		sum += step.Expected
	}
	_, err = fmt.Fprintf(out, "%s%d statements in one transaction, expected %v\n", &text, len(steps),
		sum.Round(planPrecision))
	if err != nil || len(steps) == 0 || d.Engine() != "sqlite" {
		return err
	}
	return tryMigration(ctx, d, config.file()+".plan", out, newReporter(logTo))
}

// tryMigration upgrades a copy of a SQLite database, and removes it.
func tryMigration(ctx context.Context, d *db.DB, copied string, out io.Writer, report *reporter) (err error) {
	defer func() {
		for _, ending := range []string{"", "-wal", "-shm", ".migrate"} {
			err = errors.Join(err, removeIfThere(copied+ending))
		}
	}()
	if err := makePrivate(copied); err != nil {
		return err
	}
	err = d.Backup(ctx, copied, func(done, of int) { report.progress("copied", int64(done), int64(of), "pages") })
	if err != nil {
		return err
	}
	trial, err := dbopen.Open(ctx, db.Config{File: copied, Program: Version})
	if err != nil {
		return err
	}
	began := time.Now()
	if err := errors.Join(trial.Migrate(ctx, migrations.Files), trial.Close()); err != nil {
		return fmt.Errorf("the upgrade of a copy failed: %w", err)
	}
	_, err = fmt.Fprintf(out, "the upgrade of a copy took %v\n", time.Since(began).Round(planPrecision))
	return err
}

// planPrecision is the unit to which expected durations are rounded.
const planPrecision = 100 * time.Millisecond

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/migrations"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/event"
)

// Rules returns all rules that punchcard check verifies, for a program with further kinds. Those of stores come first,
// because others read the settings of stores.
func (k Kinds) Rules() []check.Rule {
	all := k.features()
	tables := collect(all, func(f *feature.Feature) []check.Table { return f.Tables })
	return slices.Concat(store.Rules(tables...), event.Rules(all.facts()...),
		collect(all, func(f *feature.Feature) []check.Rule { return f.Rules }))
}

// progressEvery is how often long commands report progress.
const progressEvery = 2 * time.Second

// Check verifies all rules on a snapshot of the database; the server may run meanwhile. It prints findings and their
// number to out, and progress to progress. It returns the number of findings.
func Check(ctx context.Context, config Database, kinds Kinds, out, progress io.Writer) (findings int64, err error) {
	d, err := openToRead(ctx, config, progress)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	report := newReporter(progress)
	if d.Engine() == "sqlite" { // without checksums of its pages
		report.print("reading the whole file")
		if err := d.Verify(ctx, true); err != nil {
			return 0, err
		}
	}
	sum, err := check.Run(ctx, d, kinds.Rules(), check.Report{
		Begin: func(rule string, done, of int) {
			report.progress("checked", int64(done), int64(of), "rules; next is "+rule)
		},
		Finding: func(f check.Finding) { _, _ = fmt.Fprintln(out, f) },
		More:    func(rule string, n int64) { _, _ = fmt.Fprintf(out, "%s: %d more findings\n", rule, n) },
	})
	if err != nil {
		return 0, err
	}
	_, err = fmt.Fprintf(out, "%d rules checked, %d findings\n", sum.Rules, sum.Findings)
	return sum.Findings, err
}

// openToRead opens a database that has the schema of this program, or a newer one that allows it. A server may be
// running.
func openToRead(ctx context.Context, config Database, logTo io.Writer) (*db.DB, error) {
	log, err := config.logger(logTo)
	if err != nil {
		return nil, err
	}
	open := config.open(log)
	open.ReadOnly = true
	d, err := dbopen.Open(ctx, open)
	if err != nil {
		return nil, err
	}
	current, newest, err := d.CheckSchema(ctx, migrations.Files)
	switch {
	case err != nil:
		err = fmt.Errorf("read the version of the schema: %w", err)
	case current < newest:
		err = fmt.Errorf("the database has schema %d, made by an older program; run punchcard migrate to bring it to %d",
			current, newest)
	default:
		err = refuseUnfinished(ctx, d)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

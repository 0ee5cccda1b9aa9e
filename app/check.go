package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"punchcard/loyalty/analytics"
	"punchcard/loyalty/audit"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/store/branding"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/migrations"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbopen"
	"punchcard/platform/event"
	"punchcard/platform/search"
)

// Rules returns all rules that punchcard check verifies, for a program with further kinds.
func (k Kinds) Rules() []check.Rule {
	rewards, services := k.rewardTypes(), k.services(nil)
	return slices.Concat(
		points.Rules(), purchase.Rules(rewards), cashback.Rules(), notification.Rules(), message.Rules(),
		campaign.Rules(rewards),
		event.Rules(facts()...), customer.Rules(), transaction.Rules(), services.segments.Rules(), services.earning.Rules(),
		level.Rules(), pos.Rules(), invitation.Rules(), template.Rules(),
		seller.Rules(), category.Rules(), admin.Rules(), webhook.Rules(), search.Rules(), audit.Rules(),
		verification.Rules(), dataimport.Rules(),
		store.Rules(points.Accounts, points.Transfers, purchase.Purchases, campaign.Campaigns, event.Events,
			customer.Customers, transaction.Transactions, level.Levels, pos.PointsOfSale, seller.Sellers,
			category.Categories, branding.Files, dataimport.Imports),
		analytics.Rules(), customer.KeyRules(), // after the rules of stores, because they decode them
	)
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

// openToRead opens a database that has the schema of this program. A server may be running.
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
	current, newest, err := d.SchemaVersion(ctx, migrations.Files)
	switch {
	case err != nil:
		err = fmt.Errorf("read the version of the schema: %w", err)
	case current > newest:
		err = fmt.Errorf("the database has schema %d, made by a newer program; this one knows schema %d", current, newest)
	case current < newest:
		err = fmt.Errorf("the database has schema %d, made by an older program; run punchcard migrate to bring it to %d",
			current, newest)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

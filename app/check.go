package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/level"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/migrations"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/search"
)

// Rules are all that always holds of a database.
func Rules() []check.Rule {
	kinds := Kinds{}
	rewards, services := kinds.rewardTypes(), kinds.services(nil)
	return slices.Concat(
		points.Rules(), purchase.Rules(rewards), cashback.Rules(), notification.Rules(), campaign.Rules(rewards),
		event.Rules(facts()...), customer.Rules(), transaction.Rules(), services.segments.Rules(), services.earning.Rules(),
		level.Rules(), pos.Rules(),
		seller.Rules(), category.Rules(), admin.Rules(), webhook.Rules(), search.Rules(),
		store.Rules(points.Accounts, points.Transfers, purchase.Purchases, campaign.Campaigns, event.Events,
			customer.Customers, transaction.Transactions, level.Levels, pos.PointsOfSale, seller.Sellers,
			category.Categories),
	)
}

// emissions are what calls and jobs append.
func emissions() []event.Emission {
	return slices.Concat(customer.Emissions(), transfer.Emissions(), purchase.Emissions(), cashback.Emissions(),
		earning.Emissions())
}

// facts are zero values of everything that can have happened.
func facts() (all []event.Fact) {
	for _, e := range emissions() {
		all = append(all, e.Facts...)
	}
	return all
}

// progressEvery is how often a person is told how far a long run is.
const progressEvery = 2 * time.Second

// Check verifies that the data fits together, as it is at one moment; the server may run meanwhile. Findings and the
// sum of them go to out, how far it is to progress. It returns how many findings there are.
func Check(ctx context.Context, config Database, out, progress io.Writer) (findings int64, err error) {
	d, err := openToRead(ctx, config, progress)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	told := newTeller(progress)
	sum, err := check.Run(ctx, d, Rules(), check.Report{
		Begin: func(rule string, done, of int) {
			told.tell("checked", int64(done), int64(of), "rules; next is "+rule)
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

// openToRead opens a database that exists with the schema of this program, beside a server or not.
func openToRead(ctx context.Context, config Database, logTo io.Writer) (*db.DB, error) {
	log, err := config.logger(logTo)
	if err != nil {
		return nil, err
	}
	open := config.open(log)
	open.ReadOnly = true
	d, err := db.Open(ctx, open)
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

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"punchcard/app/apptest"
	"punchcard/platform/db"
)

// The queries that count what writes store.
const (
	purchases     = `SELECT COUNT(*) FROM purchases`
	documents     = `SELECT COUNT(*) FROM transactions`
	registrations = `SELECT COUNT(*) FROM customers`
	usedCoupons   = `SELECT COUNT(*) FROM purchases WHERE used`
	grants        = `SELECT COUNT(*) FROM transfers WHERE type = 'adding' AND issuer = 'admin'`
	gifts         = `SELECT COUNT(*) FROM transfers WHERE type = 'p2p_spending'`
)

// countStored returns the number of rows of each kind that the trial writes.
func (t *trial) countStored(ctx context.Context) (rows map[string]int64, err error) {
	rows = map[string]int64{purchases: 0}
	for _, f := range t.results {
		if f.scenario.stored != "" {
			rows[f.scenario.stored] = 0
		}
	}
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		for query := range rows {
			if rows[query], err = db.Value[int64](tx, query); err != nil {
				return err
			}
		}
		return nil
	})
	return rows, err
}

// check stops the product. It is a problem if there are not as many new rows as were acknowledged, if punchcard check
// finds something, or if a limit of a scenario is exceeded. The copies in a grown store are incomplete, so punchcard
// check does not run there.
func (t *trial) check(ctx context.Context, c *database, before map[string]int64) error {
	if err := t.server.Stop(); err != nil {
		return err
	}
	after, err := t.countStored(ctx)
	if err != nil {
		return err
	}
	for _, query := range slices.Sorted(maps.Keys(after)) {
		if added := after[query] - before[query]; added != t.acknowledged[query] {
			t.problem = errors.Join(t.problem, fmt.Errorf("%s: %d more, but %d were acknowledged", query, added,
				t.acknowledged[query]))
		}
	}
	if t.grown == 1 {
		output, err := apptest.Command(ctx, t.bencher.product, append([]string{"check"}, c.flags...)...).CombinedOutput()
		if err != nil {
			t.problem = errors.Join(t.problem, fmt.Errorf("punchcard check: %w: %s", err, output))
		}
	}
	for _, f := range t.results {
		t.problem = errors.Join(t.problem, t.exceeded(f))
	}
	return nil
}

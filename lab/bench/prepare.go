package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"punchcard/platform/db"
	"punchcard/platform/job"
)

// prepare fills the database of which each server gets a copy.
func (b *bencher) prepare(ctx context.Context, e *engine) (s *shop, err error) {
	var clock pastClock
	config := e.template
	config.Clock = clock.now
	err = withDatabase(ctx, config, func(d *db.DB) error {
		s, err = fill(ctx, d, b.options, &clock)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := b.runJobs(ctx, e, s); err != nil {
		return nil, fmt.Errorf("scheduled jobs: %w", err)
	}
	return s, withDatabase(ctx, e.template, func(d *db.DB) error { return tidyUp(ctx, d) })
}

const (
	jobsLimit = 30 * time.Minute // for a grown store
	jobsPoll  = 100 * time.Millisecond
)

// runJobs runs the product on the prepared database until each scheduled job has run once. Otherwise each measured
// server would do so first, and read nearly all rows for it.
func (b *bencher) runJobs(ctx context.Context, e *engine, s *shop) error {
	ctx, cancel := context.WithTimeout(ctx, jobsLimit)
	defer cancel()
	t := b.newTrial(e, s, 1, nil)
	return t.serveOn(ctx, e.named(templateName), func(*database) error {
		if err := t.addRules(); err != nil {
			return fmt.Errorf("earning rules: %w", err)
		}
		for _, chosen := range b.scenarios {
			if chosen.prepare == nil {
				continue
			}
			if err := chosen.prepare(ctx, t); err != nil {
				return fmt.Errorf("%s: %w", chosen.name, err)
			}
		}
		return await(ctx, jobsPoll, func() (bool, error) { return t.jobsRan(ctx) })
	})
}

// customEvent is the event of a rule.
const customEvent = "visit"

// addRules creates the rules by which receipts earn points.
func (t *trial) addRules() error {
	for _, fields := range []map[string]any{
		{"type": "points", "name": "A point for each euro", "pointValue": 1},
		{"type": "product_purchase", "name": "Five points for beans", "skuIds": []string{"BEANS"}, "pointsAmount": 5},
		{"type": "custom_event", "name": "A point for a visit", "eventName": customEvent, "pointsAmount": 1},
		{"type": "multiply_for_product", "name": "Twice the points of cake", "skuIds": []string{"CAKE"}, "multiplier": 2},
	} {
		fields["description"], fields["active"], fields["allTimeActive"] = fields["name"], true, true
		fields["target"], fields["levels"] = "level", t.shop.levels
		text, err := json.Marshal(map[string]any{"earningRule": fields})
		if err != nil {
			return err
		}
		if _, err := t.server.request("POST", ofStore+"earningRule", t.shop.adminToken, string(text)); err != nil {
			return err
		}
	}
	return nil
}

// soldBefore is the number of receipts before the measurement, so many that few returns at once are of the same one.
func (s *shop) soldBefore() int { return min(s.owners, 2_000) }

// sellBefore registers receipts for returns, one for each of the first customers.
func sellBefore(ctx context.Context, t *trial) error {
	took, err := t.importFile(ctx, importOfReceipts, 0, t.shop.soldBefore())
	progress("%s: %d receipts prepared in %.1f s", t.engine.name, t.shop.soldBefore(), took.Seconds())
	return err
}

// jobsRan reports whether each scheduled job has run.
func (t *trial) jobsRan(ctx context.Context) (ran bool, err error) {
	err = t.db.Read(ctx, func(tx *db.Tx) error {
		jobs, err := job.Status(tx)
		ran = len(jobs) > 0 && !slices.ContainsFunc(jobs, func(j job.State) bool { return j.LastEndAt.IsZero() })
		return err
	})
	return ran, err
}

// tidyUp vacuums and analyses the new tables, as autovacuum does sooner or later.
func tidyUp(ctx context.Context, d *db.DB) error {
	if d.Engine() == "sqlite" {
		return nil
	}
	return d.Read(ctx, func(tx *db.Tx) error { // outside a transaction
		_, err := tx.Exec(`VACUUM (FREEZE, ANALYZE)`)
		return err
	})
}

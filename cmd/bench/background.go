package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"punchcard/loyalty/segment"
	"punchcard/platform/db"
)

// backgroundWork is a background job for all customers that runs while some of them buy.
type backgroundWork struct {
	name  string
	begin func(s *shop, ctx context.Context, d *db.DB) error
	run   func(t *trial) error
}

var allBackgroundWork = []backgroundWork{
	{"campaign opened", (*shop).openCampaign, runsJob("campaign notifications")},
	{"segment rebuilt", (*shop).createSegment, runsJob("segments")},
	{"points expiring", (*shop).expirePoints, runsJob("points due")},
	{"customers imported", func(*shop, context.Context, *db.DB) error { return nil }, (*trial).importCustomers},
}

func runsJob(name string) func(t *trial) error { return func(t *trial) error { return t.runJob(name) } }

// disturbance compares purchases with and without background work. Each round measures both, without first.
type disturbance struct {
	engine          string
	work            backgroundWork
	calm, disturbed []round
	ran             []time.Duration // time that the work took in each disturbed turn
	problem         error
}

// backgroundGoal is the highest ratio of p99 with background work to p99 without.
const backgroundGoal = 2.0

func (b *bencher) measureBackground(ctx context.Context, e *engine, s *shop, to *report) error {
	for _, w := range allBackgroundWork {
		found := &disturbance{engine: e.name, work: w}
		for range b.rounds {
			t := &trial{
				bencher: b, engine: e, shop: s,
				result: result{engine: e.name, scenario: scenarios[0], connections: b.connections[0]},
			}
			if err := t.serve(ctx, func(*database) error { return t.disturb(ctx, found) }); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			found.problem = errors.Join(found.problem, t.result.problem)
		}
		to.disturbances = append(to.disturbances, found)
	}
	return nil
}

// disturb measures one turn without the work and one with it.
func (t *trial) disturb(ctx context.Context, found *disturbance) error {
	calm, _, err := t.turn(ctx, t.server, t.plan())
	if err != nil {
		return err
	}
	if err := found.work.begin(t.shop, ctx, t.db); err != nil {
		return err
	}
	ended := make(chan error, 1)
	began := time.Now()
	var ran time.Duration
	go func() {
		err := found.work.run(t)
		ran = time.Since(began)
		ended <- err
	}()
	disturbed, _, err := t.load(ctx, t.server, t.plan())
	turn := time.Since(began)
	if err := errors.Join(err, <-ended); err != nil {
		return err
	}
	found.calm, found.disturbed = append(found.calm, calm), append(found.disturbed, disturbed)
	found.ran = append(found.ran, min(ran, turn))
	progress("%s, %s: p99 %s, before %s; worked for %s of %s", t.engine.name, found.work.name, disturbed.p99, calm.p99,
		min(ran, turn), turn)
	return nil
}

// runJob runs a job now, for as long as one request may take.
func (t *trial) runJob(name string) error {
	body, err := t.server.request("POST", "/api/admin/jobs/"+url.PathEscape(name)+"/run", t.shop.adminToken, "")
	if err != nil {
		return err
	}
	var result struct {
		Error string
		Rows  int64
	}
	if err = json.Unmarshal(body, &result); err == nil && (result.Error != "" || result.Rows == 0) {
		err = fmt.Errorf("the job did nothing: %s", body)
	}
	return err
}

// openCampaign opens a campaign to all customers.
func (s *shop) openCampaign(ctx context.Context, d *db.DB) error {
	_, err := s.campaign(ctx, d, "Cake for all", smallCodes)
	return err
}

// createSegment creates a segment of all customers.
func (s *shop) createSegment(ctx context.Context, d *db.DB) error {
	return d.Write(ctx, func(tx *db.Tx) error {
		_, err := segment.New().Create(tx, s.store, segment.Draft{Name: "Everybody", Active: true, Parts: []segment.Part{
			{Criteria: []segment.Criterion{{Type: "transaction_count", Fields: &segment.TransactionCount{Max: 1e9}}}},
		}})
		return err
	})
}

// expirePoints makes all points of the copied customers, who do not buy, expirePoints in the past.
func (s *shop) expirePoints(ctx context.Context, d *db.DB) error {
	copies := isOther(d.Engine(), "customer_id")
	for _, text := range []string{
		`UPDATE accounts SET next_due_at = 2, lots = REPLACE(lots, '"left":', '"expires":1,"left":') WHERE ` + copies,
		`UPDATE transfers SET expires_at = 1 WHERE is_open AND ` + copies,
	} {
		if err := run(ctx, d, text); err != nil {
			return err
		}
	}
	return nil
}

// importedCustomers is how many customers the benchmark imports.
const importedCustomers = 20_000

// importCustomers imports customers, and waits until all are registered.
func (t *trial) importCustomers() error {
	_, err := t.importFile(context.Background(), &importOfCustomers, 0, importedCustomers)
	return err
}

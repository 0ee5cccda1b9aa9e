package main

import (
	"context"
	"errors"
	"fmt"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
)

// regularsName is the scenario of customers who have bought many different campaigns.
const regularsName = "buy-regulars"

const (
	regularCampaigns = 1000 // that a regular customer has bought
	regularCustomers = 64   // and as many who have bought one
	regularsGoal     = 1.1  // highest ratio of processor time; 1 and what two turns differ by anyway
)

// regularsResult compares purchases by customers who have bought one campaign with purchases by regulars. Both buy the
// same campaign now.
type regularsResult struct {
	engine            string
	newcomer, regular []round
	problem           error
}

func (f *regularsResult) ratio(figure func(round) float64) float64 {
	ratios := make([]float64, len(f.regular))
	for i := range ratios {
		ratios[i] = figure(f.regular[i]) / figure(f.newcomer[i])
	}
	return median(ratios)
}

// measureRegulars prepares a database of its own, and lets newcomers and regulars buy in turns.
func (b *bencher) measureRegulars(ctx context.Context, e *engine, to *report) (err error) {
	if err := within(ctx, e.template, func(*db.DB) error { return nil }); err != nil { // only the schema
		return err
	}
	c, err := e.copy()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	s := &shop{owners: 2 * regularCustomers}
	if err := within(ctx, c.config, func(d *db.DB) error {
		if err := s.prepareRegulars(ctx, d, b.codes); err != nil {
			return err
		}
		return tidyUp(ctx, d)
	}); err != nil {
		return err
	}
	t := &trial{bencher: b, engine: e, shop: s, result: result{
		engine: e.name, scenario: scenarios[0], connections: fewConnections,
	}}
	found := &regularsResult{engine: e.name}
	err = t.serveOn(ctx, c, func(*database) error {
		for range b.rounds {
			for i, rounds := range []*[]round{&found.newcomer, &found.regular} {
				plan := t.plan()
				plan.Paths = buyPaths(s.hot)
				plan.Tokens = s.tokens[i*regularCustomers : (i+1)*regularCustomers]
				turn, _, err := t.measureWritten(ctx, plan)
				if err != nil {
					return err
				}
				*rounds = append(*rounds, turn)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	found.problem = t.result.problem
	to.regulars = append(to.regulars, found)
	progress("%s %s: %.2f times the processor time", e.name, regularsName, found.ratio(round.microseconds))
	return nil
}

// prepareRegulars fills an empty database with newcomers, who come first, and regulars.
func (s *shop) prepareRegulars(ctx context.Context, d *db.DB, codes int) error {
	if err := s.open(ctx, d, codes); err != nil {
		return err
	}
	for i := len(s.spread); i < regularCampaigns; i++ {
		id, err := s.campaign(ctx, d, fmt.Sprintf("Cake %d", i), s.owners)
		if err != nil {
			return err
		}
		s.spread = append(s.spread, id)
	}
	desk := purchase.NewDesk(d, campaign.RewardTypes)
	if _, err := notification.Announce(desk)(ctx, d, s.store); err != nil { // to nobody, see prepare
		return err
	}
	if err := d.Write(ctx, func(tx *db.Tx) error { return s.register(tx, s.owners) }); err != nil {
		return err
	}
	for i, customer := range s.customers {
		bought := s.spread
		if i < regularCustomers {
			bought = s.spread[:1]
		}
		for from := 0; from < len(bought); from += atOnce {
			part := bought[from:min(from+atOnce, len(bought))]
			if err := d.Write(ctx, func(tx *db.Tx) error { return s.buyEach(tx, desk, customer, part) }); err != nil {
				return err
			}
		}
	}
	if err := s.issue(ctx, d); err != nil {
		return err
	}
	return d.Write(ctx, settle)
}

// buyEach buys a coupon of each campaign for a customer.
func (s *shop) buyEach(tx *db.Tx, desk *purchase.Desk, customer string, campaigns []string) error {
	buys := make([]purchase.Buy, len(campaigns))
	for i, id := range campaigns {
		buys[i] = purchase.Buy{Store: s.store, CustomerID: customer, CampaignID: id, Quantity: 1, Locale: "en"}
	}
	sold, err := desk.BuyIn(tx, s.store, buys...)
	for i := 0; err == nil && i < len(sold); i++ {
		err = sold[i].Err
	}
	return err
}

func (r *report) regularsTable() [][]string {
	lines := [][]string{{
		"engine", "cpu us, newcomers", "cpu us, regulars", "ratio", "goal", "written kB, newcomers", "written kB, regulars",
	}}
	for _, f := range r.regulars {
		ratio := f.ratio(round.microseconds)
		lines = append(lines, []string{
			f.engine, fmt.Sprintf("%.0f", middle(f.newcomer, round.microseconds)),
			fmt.Sprintf("%.0f", middle(f.regular, round.microseconds)), fmt.Sprintf("%.2f", ratio),
			verdict(ratio <= regularsGoal, regularsGoal),
			kilobytes(middle(f.newcomer, round.bytes)), kilobytes(middle(f.regular, round.bytes)),
		})
	}
	return lines
}

const regularsLegend = `
Processor time of a purchase by customers who have bought one campaign, and by those who have bought %d, in turns.

`

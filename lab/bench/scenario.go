package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"punchcard/core/access"
)

// scenario is one kind of request.
type scenario struct {
	name     string
	method   string
	pattern  string // path of the endpoint
	rule     access.Rule
	requests func(s *shop, p *loadPlan) // adds to a plan what the requests consist of
	// prepare adds what the requests need, through the product on the prepared database; nil for nothing.
	prepare func(ctx context.Context, t *trial) error
	stored  string // the query that counts what the requests store; empty for reads

	open  bool // also measured in an open loop
	far   bool // also measured with PostgreSQL far away
	alone bool // reads without purchases beside them
	// history asks for receipts of a year in the prepared database.
	history bool

	limits map[string]limits // by engine
}

// limits must not be exceeded: unlike rates, they hardly depend on what else the machine does. 0 means no limit.
type limits struct {
	written    float64 // bytes to files for each request, with 64 connections or more
	statements float64 // for each request, with one connection
	trips      float64 // round trips to PostgreSQL for each request, with one connection
}

const (
	ofStoreCode  = "/api/{storeCode}/"
	ofStore      = "/api/" + storeCode + "/"
	campaignPath = ofStore + "customer/campaign/"
)

// The bodies of requests are templates.
const (
	receiptBody = `{"transaction":{"transactionData":{"documentNumber":"S-{n}","documentType":"sell"},"items":[
		{"sku":{"code":"COFFEE"},"name":"Large coffee","quantity":2,"grossValue":7.80,"category":"drinks"},
		{"sku":{"code":"BEANS"},"name":"Beans","quantity":1,"grossValue":11.50,"category":"groceries"},
		{"sku":{"code":"CAKE"},"name":"Carrot cake","quantity":1,"grossValue":4.20,"category":"food"}],
		"customerData":{"name":"Ida Berg","email":"customer-{i}@example.com"}}}`
	returnBody = `{"transaction":{"transactionData":{"documentNumber":"B-{n}","documentType":"return"},
		"revisedDocument":"P-{i}","items":[
		{"sku":{"code":"COFFEE"},"name":"Large coffee","quantity":0.01,"grossValue":0.04,"category":"drinks"}],
		"customerData":{"name":"Ida Berg","email":"customer-{i}@example.com"}}}`
	transferBody = `{"transfer":{"sender":"customer-{i}@example.com","receiver":"customer-{j}@example.com","points":1}}`
	pointsBody   = `{"transfer":{"customer":{item},"points":1}}`
	newBody      = `{"customer":{"firstName":"Ida","lastName":"Berg","email":"new-{n}@example.com","phone":"+471{n}",
		"agreement1":true}}`
	useBody      = `{"coupons":[{item}]}`
	checkoutBody = `{"checkout":{{item},"items":[
		{"sku":{"code":"COFFEE"},"name":"Large coffee","quantity":2,"grossValue":7.80,"category":"drinks"},
		{"sku":{"code":"TEA"},"name":"Tea","quantity":1,"grossValue":3.90,"category":"drinks"},
		{"sku":{"code":"WATER"},"name":"Water","quantity":3,"grossValue":6.30,"category":"drinks"},
		{"sku":{"code":"BEANS"},"name":"Beans","quantity":1,"grossValue":11.50,"category":"groceries"},
		{"sku":{"code":"FILTERS"},"name":"Filters","quantity":2,"grossValue":5.98,"category":"groceries"},
		{"sku":{"code":"HONEY"},"name":"Honey","quantity":1,"grossValue":7.49,"category":"groceries"},
		{"sku":{"code":"CAKE"},"name":"Carrot cake","quantity":1,"grossValue":4.20,"category":"food"},
		{"sku":{"code":"BUN"},"name":"Bun","quantity":4,"grossValue":9.60,"category":"food"},
		{"sku":{"code":"SOUP"},"name":"Soup","quantity":1,"grossValue":8.90,"category":"food"},
		{"sku":{"code":"CUP"},"name":"Cup","quantity":1,"grossValue":12.00,"category":"things"}]}}`
)

var (
	byCustomer    = access.Only(access.Customer)
	documentsRule = access.AdministratorWith(access.Transactions, access.Modify)
)

var scenarios = []*scenario{
	{
		name: "buy-spread", method: "POST", pattern: ofStoreCode + "customer/campaign/{campaign}/buy", rule: byCustomer,
		requests: func(s *shop, p *loadPlan) { p.Paths, p.Tokens = buyPaths(s.spread...), s.tokens },
		stored:   purchases, open: true, far: true,
		limits: map[string]limits{
			"sqlite": {written: 20_000, statements: 20}, "postgres": {written: 10_000, statements: 16, trips: 4},
		},
	},
	{
		name: "buy-hot", method: "POST", pattern: ofStoreCode + "customer/campaign/{campaign}/buy", rule: byCustomer,
		requests: func(s *shop, p *loadPlan) { p.Paths, p.Tokens = buyPaths(s.hot), s.tokens },
		stored:   purchases,
		limits:   map[string]limits{"sqlite": {written: 20_000}, "postgres": {written: 10_000}},
	},
	{
		name: "receipt", method: "POST", pattern: ofStoreCode + "transaction", rule: documentsRule,
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "transaction", receiptBody, len(s.customers)) },
		stored:   documents, open: true, far: true,
		limits: map[string]limits{"sqlite": {statements: 27}, "postgres": {statements: 22, trips: 7}},
	},
	{
		name: "return", method: "POST", pattern: ofStoreCode + "transaction", rule: documentsRule,
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "transaction", returnBody, s.soldBefore()) },
		prepare:  sellBefore,
		stored:   documents, open: true, far: true,
		limits: map[string]limits{"sqlite": {statements: 32}, "postgres": {statements: 27}},
	},
	{
		name: "transfer", method: "POST", pattern: ofStoreCode + "admin/p2p-points-transfer",
		rule:     access.AdministratorWith(access.PointTransfers, access.Modify),
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "admin/p2p-points-transfer", transferBody, len(s.customers)) },
		stored:   gifts, open: true, far: true,
		limits: map[string]limits{"sqlite": {statements: 18}, "postgres": {statements: 13}},
	},
	{
		name: "points", method: "POST", pattern: ofStoreCode + "points/transfer/add",
		rule: access.AdministratorWith(access.PointTransfers, access.Modify),
		requests: func(s *shop, p *loadPlan) {
			s.byAdmin(p, "points/transfer/add", pointsBody, 0)
			p.Items = s.quoted
		},
		stored: grants, open: true, far: true,
	},
	{
		name: "registration", method: "POST", pattern: ofStoreCode + "admin/customer/register",
		rule:     access.AdministratorWith(access.Customers, access.Modify),
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "admin/customer/register", newBody, 0) },
		stored:   registrations, open: true, far: true,
		limits: map[string]limits{"sqlite": {statements: 40}, "postgres": {statements: 30}},
	},
	{
		name: "use", method: "POST", pattern: ofStoreCode + "admin/campaign/coupons/mark_as_used",
		rule: access.AdministratorWith(access.RewardCampaigns, access.Modify),
		requests: func(s *shop, p *loadPlan) {
			s.byAdmin(p, "admin/campaign/coupons/mark_as_used", useBody, 0)
			p.Items = s.coupons
		},
		stored: usedCoupons, open: true, far: true,
		limits: map[string]limits{"sqlite": {statements: 12}, "postgres": {statements: 10}},
	},
	{
		name: "list-available", method: "GET", pattern: ofStoreCode + "customer/campaign/available", rule: byCustomer,
		requests: func(s *shop, p *loadPlan) { p.Paths, p.Tokens = []string{campaignPath + "available"}, s.tokens },
	},
	{
		name: "list-bought", method: "GET", pattern: ofStoreCode + "customer/campaign/bought", rule: byCustomer,
		requests: func(s *shop, p *loadPlan) {
			p.Paths, p.Tokens = []string{campaignPath + "bought"}, s.tokens[:s.owners]
		},
	},
	{
		name: "checkout", method: "POST", pattern: ofStoreCode + "checkout",
		rule: access.AdministratorWith(access.RewardCampaigns, access.View),
		requests: func(s *shop, p *loadPlan) {
			s.byAdmin(p, "checkout", checkoutBody, 0)
			p.Items = s.baskets
		},
	},
	{
		name: "one-campaign", method: "GET", pattern: ofStoreCode + "campaign/{campaign}",
		rule:     access.AdministratorWith(access.RewardCampaigns, access.View),
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "campaign/"+s.small, "", 0) },
	},
	listScenario("customers-first-page", firstPage),
	listScenario("customers-last-page", lastPage),
	search("search-last-name", lastName),
	search("search-both-names", bothNames),
	search("search-chinese-name", chineseName),
	search("search-email", address),
	search("search-phone", phone),
	search("search-card", card),
	metricsPage("summary", "summary", ""),
	metricsPage("active-by-day", "series", "&metric=activeMembers"),
	metricsPage("sales-by-place", "sales", "&by=pos"),
	metricsPage("sales-by-level", "sales", "&by=level"),
	metricsPage("coupons-by-level", "coupons", "&by=level"),
	metricsPage("rewards", "rewards", ""),
	metricsPage("owed", "owed", ""),
	metricsPage("customers", "customers", ""),
	metricsPage("levels", "levels", ""),
}

// byAdmin fills a plan with requests of the administrator to one path below the store.
func (s *shop) byAdmin(p *loadPlan, path, body string, customers int) {
	p.Paths, p.Tokens, p.Body, p.Customers = []string{ofStore + path}, []string{s.adminToken}, body, customers
}

func buyPaths(campaigns ...string) []string {
	paths := make([]string, len(campaigns))
	for i, id := range campaigns {
		paths[i] = campaignPath + id + "/buy"
	}
	return paths
}

// choice has the scenarios that are measured.
type choice struct {
	scenarios []*scenario
	calls     []*call
	imports   []*importKind
	reports   []string
}

// history reports whether something needs receipts of a year.
func (c *choice) history() bool {
	return len(c.reports) > 0 || slices.ContainsFunc(c.scenarios, func(s *scenario) bool { return s.history })
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	for _, c := range calls {
		names = append(names, c.name)
	}
	for _, kind := range importKinds {
		names = append(names, kind.name)
	}
	return append(names, reportKinds...)
}

// chooseScenarios reads names separated by commas; an empty list means all.
func chooseScenarios(names string) (c choice, err error) {
	all := scenarioNames()
	if names == "" {
		names = strings.Join(all, ",")
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(all, name)
		switch {
		case i < 0:
			return c, fmt.Errorf("-scenario: there is no scenario %q", name)
		case i < len(scenarios):
			c.scenarios = append(c.scenarios, scenarios[i])
		case i < len(scenarios)+len(calls):
			c.calls = append(c.calls, calls[i-len(scenarios)])
		case i < len(scenarios)+len(calls)+len(importKinds):
			c.imports = append(c.imports, importKinds[i-len(scenarios)-len(calls)])
		default:
			c.reports = append(c.reports, name)
		}
	}
	return c, nil
}

// fewConnections are the fewest with which bytes are limited.
const fewConnections = 64

// exceeded returns an error for each limit that a result exceeds in all rounds. There are none for a grown store, in
// which writes touch more pages, nor for a smoke test.
func (t *trial) exceeded(f *result) error {
	if t.grown > 1 || t.quick {
		return nil
	}
	most := f.scenario.limits[t.engine.name]
	var all []error
	for _, l := range []struct {
		of      string
		holds   bool
		limit   float64
		measure func(round) float64
	}{
		{"bytes written", t.connections >= fewConnections && t.proxy == nil, most.written, round.bytes},
		{"statements", t.connections == 1 && t.proxy == nil, most.statements, round.statementsEach},
		{"round trips", t.connections == 1 && t.proxy != nil, most.trips, round.tripsEach},
	} {
		if !l.holds || l.limit == 0 {
			continue
		}
		var totals []float64
		for _, r := range f.product {
			totals = append(totals, l.measure(r))
		}
		if least := slices.Min(totals); least > l.limit {
			all = append(all, fmt.Errorf("%s: %.1f %s for each, at most %.1f are allowed", f.scenario.name, least, l.of,
				l.limit))
		}
	}
	return errors.Join(all...)
}

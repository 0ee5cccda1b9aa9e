package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"punchcard/api/access"
)

// scenario is one kind of request.
type scenario struct {
	name    string
	method  string
	pattern string // path of the endpoint
	rule    access.Rule
	buys    bool
	open    bool // also measured in an open loop
	// readGoal is the least ratio to the ceiling, while a tenth of the requests are purchases.
	readGoal float64
	// requests adds to a plan what the requests consist of.
	requests func(s *shop, p *loadPlan)
	// prepare adds what the requests need, through the product on the prepared database; nil for nothing.
	prepare func(ctx context.Context, t *trial) error
}

const (
	ofStoreCode  = "/api/{storeCode}/"
	campaignPath = ofStore + "customer/campaign/"
)

var (
	byCustomer = access.Only(access.Customer)

	// receiptItems are three lines, each of which another rule rewards.
	receiptItems = `"items":[
		{"sku":{"code":"COFFEE"},"name":"Large coffee","quantity":2,"grossValue":7.80,"category":"drinks"},
		{"sku":{"code":"BEANS"},"name":"Beans","quantity":1,"grossValue":11.50,"category":"groceries"},
		{"sku":{"code":"CAKE"},"name":"Carrot cake","quantity":1,"grossValue":4.20,"category":"food"}]`
	receiptBody = `{"transaction":{"transactionData":{"documentNumber":"S-{n}","documentType":"sell"},` + receiptItems +
		`,"customerData":{"name":"Ida Berg","email":"customer-{i}@example.com"}}}`
	returnBody = `{"transaction":{"transactionData":{"documentNumber":"B-{n}","documentType":"return"},` +
		`"revisedDocument":"P-{i}","items":[{"sku":{"code":"COFFEE"},"name":"Large coffee","quantity":1,` +
		`"grossValue":3.90,"category":"drinks"}],"customerData":{"name":"Ida Berg","email":"customer-{i}@example.com"}}}`
	transferBody = `{"transfer":{"sender":"customer-{i}@example.com","receiver":"customer-{j}@example.com","points":1}}`
	newBody      = `{"customer":{"firstName":"Ida","lastName":"Berg","email":"new-{n}@example.com",` +
		`"phone":"+471{n}","agreement1":true}}`
	useBody = `{"coupons":[{item}]}`
)

var scenarios = []scenario{
	{
		name: "buy-spread", method: "POST", pattern: ofStoreCode + "customer/campaign/{campaign}/buy",
		rule: byCustomer, buys: true, open: true,
		requests: func(s *shop, p *loadPlan) { p.Paths, p.Tokens = buyPaths(s.spread...), s.tokens },
	},
	{
		name: "buy-hot", method: "POST", pattern: ofStoreCode + "customer/campaign/{campaign}/buy",
		rule: byCustomer, buys: true,
		requests: func(s *shop, p *loadPlan) { p.Paths, p.Tokens = buyPaths(s.hot), s.tokens },
	},
	{
		name: "receipt", method: "POST", pattern: ofStoreCode + "transaction",
		rule:     access.AdministratorWith(access.Transactions, access.Modify),
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "transaction", receiptBody, len(s.customers)) },
	},
	{
		name: "return", method: "POST", pattern: ofStoreCode + "transaction",
		rule:     access.AdministratorWith(access.Transactions, access.Modify),
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "transaction", returnBody, s.owners) },
		prepare:  func(ctx context.Context, t *trial) error { return t.sellBefore(ctx) },
	},
	{
		name: "transfer", method: "POST", pattern: ofStoreCode + "admin/p2p-points-transfer",
		rule:     access.AdministratorWith(access.PointTransfers, access.Modify),
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "admin/p2p-points-transfer", transferBody, len(s.customers)) },
	},
	{
		name: "registration", method: "POST", pattern: ofStoreCode + "admin/customer/register",
		rule:     access.AdministratorWith(access.Customers, access.Modify),
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "admin/customer/register", newBody, 0) },
	},
	{
		name: "use", method: "POST", pattern: ofStoreCode + "admin/campaign/coupons/mark_as_used",
		rule: access.AdministratorWith(access.RewardCampaigns, access.Modify),
		requests: func(s *shop, p *loadPlan) {
			s.byAdmin(p, "admin/campaign/coupons/mark_as_used", useBody, 0)
			p.Items = s.coupons
		},
	},
	{
		name: "list-available", method: "GET", pattern: ofStoreCode + "customer/campaign/available",
		rule: byCustomer, readGoal: 0.40,
		requests: func(s *shop, p *loadPlan) { p.Paths, p.Tokens = []string{campaignPath + "available"}, s.tokens },
	},
	{
		name: "list-bought", method: "GET", pattern: ofStoreCode + "customer/campaign/bought",
		rule: byCustomer, readGoal: 0.40,
		requests: func(s *shop, p *loadPlan) {
			p.Paths, p.Tokens = []string{campaignPath + "bought"}, s.tokens[:s.owners]
		},
	},
	{
		name: "one-campaign", method: "GET", pattern: ofStoreCode + "campaign/{campaign}",
		rule: access.AdministratorWith(access.RewardCampaigns, access.View), readGoal: 0.50,
		requests: func(s *shop, p *loadPlan) { s.byAdmin(p, "campaign/"+s.small, "", 0) },
	},
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

func scenarioNames() []string {
	var names []string
	for i := range scenarios {
		names = append(names, scenarios[i].name)
	}
	for i := range listScenarios {
		names = append(names, listScenarios[i].name)
	}
	return append(names, regularsName)
}

// choice has the scenarios that are measured.
type choice struct {
	scenarios []scenario
	lists     []listScenario
	regulars  bool
}

// chooseScenarios reads names separated by commas; an empty list means all.
func chooseScenarios(names string) (c choice, err error) {
	if names == "" {
		return choice{scenarios, listScenarios, true}, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(scenarioNames(), name)
		switch {
		case i < 0:
			return c, fmt.Errorf("-scenario: there is no scenario %q", name)
		case i < len(scenarios):
			c.scenarios = append(c.scenarios, scenarios[i])
		case name == regularsName:
			c.regulars = true
		default:
			c.lists = append(c.lists, listScenarios[i-len(scenarios)])
		}
	}
	return c, nil
}

// The numbers of connections with goals.
const (
	fewConnections  = 64
	manyConnections = 1500
)

// The goals that are the same for all scenarios.
const (
	startGoal        = time.Second
	memoryGoalAtRest = 60 << 20  // bytes
	memoryGoal       = 300 << 20 // bytes
)

// purchaseGoals are the least ratios of purchases to the ceiling, by engine and connections.
var purchaseGoals = map[string]map[int]float64{
	"sqlite":   {fewConnections: 0.22, manyConnections: 0.30},
	"postgres": {fewConnections: 0.17, manyConnections: 0.27},
}

// spreadGoals are the highest ratios of the p99 of purchases to their p50, by connections.
var spreadGoals = map[int]float64{fewConnections: 2.5, manyConnections: 1.4}

// goal returns the least ratio to the ceiling, or 0 if there is no goal.
func (s *scenario) goal(engine string, connections int) float64 {
	if s.buys {
		return purchaseGoals[engine][connections]
	}
	return s.readGoal
}

package main

import (
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
	// requests returns the paths and tokens, from which each request draws one.
	requests func(s *shop) (paths, tokens []string)
}

const campaignPath = "/api/" + storeCode + "/customer/campaign/"

var scenarios = []scenario{
	{
		name: "buy-spread", method: "POST", pattern: "/api/{storeCode}/customer/campaign/{campaign}/buy",
		rule: access.Only(access.Customer), buys: true, open: true,
		requests: func(s *shop) (paths, tokens []string) { return buyPaths(s.spread...), s.tokens },
	},
	{
		name: "buy-hot", method: "POST", pattern: "/api/{storeCode}/customer/campaign/{campaign}/buy",
		rule: access.Only(access.Customer), buys: true,
		requests: func(s *shop) (paths, tokens []string) { return buyPaths(s.hot), s.tokens },
	},
	{
		name: "list-available", method: "GET", pattern: "/api/{storeCode}/customer/campaign/available",
		rule: access.Only(access.Customer), readGoal: 0.40,
		requests: func(s *shop) (paths, tokens []string) { return []string{campaignPath + "available"}, s.tokens },
	},
	{
		name: "list-bought", method: "GET", pattern: "/api/{storeCode}/customer/campaign/bought",
		rule: access.Only(access.Customer), readGoal: 0.40,
		requests: func(s *shop) (paths, tokens []string) {
			return []string{campaignPath + "bought"}, s.tokens[:s.owners]
		},
	},
	{
		name: "one-campaign", method: "GET", pattern: "/api/{storeCode}/campaign/{campaign}",
		rule: access.AdministratorWith(access.RewardCampaigns, access.View), readGoal: 0.50,
		requests: func(s *shop) (paths, tokens []string) {
			return []string{"/api/" + storeCode + "/campaign/" + s.small}, []string{s.adminToken}
		},
	},
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

// choice is which scenarios are measured.
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

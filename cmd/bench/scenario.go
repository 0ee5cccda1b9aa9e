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
		rule:     access.Only(access.Customer),
		requests: func(s *shop) (paths, tokens []string) { return []string{campaignPath + "available"}, s.tokens },
	},
	{
		name: "list-bought", method: "GET", pattern: "/api/{storeCode}/customer/campaign/bought",
		rule: access.Only(access.Customer),
		requests: func(s *shop) (paths, tokens []string) {
			return []string{campaignPath + "bought"}, s.tokens[:s.owners]
		},
	},
	{
		name: "one-campaign", method: "GET", pattern: "/api/{storeCode}/campaign/{campaign}",
		rule: access.AdministratorWith(access.RewardCampaigns, access.View),
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
	return names
}

// chooseScenarios reads names separated by commas; an empty list means all.
func chooseScenarios(names string) (chosen []scenario, lists []listScenario, err error) {
	if names == "" {
		return scenarios, listScenarios, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.Index(scenarioNames(), name)
		switch {
		case i < 0:
			return nil, nil, fmt.Errorf("-scenario: there is no scenario %q", name)
		case i < len(scenarios):
			chosen = append(chosen, scenarios[i])
		default:
			lists = append(lists, listScenarios[i-len(scenarios)])
		}
	}
	return chosen, lists, nil
}

// manyConnections is the number of connections with a latency goal. With fewer, pauses of the
// machine dominate.
const manyConnections = 1500

// The goals that are the same for all scenarios.
const (
	latencyGoal      = 1.7 // ratio of the p99 of purchases at manyConnections to the ceiling's
	startGoal        = time.Second
	memoryGoalAtRest = 60 << 20  // bytes
	memoryGoal       = 300 << 20 // bytes
)

// goal returns the least ratio to the ceiling, or 0 if there is no goal.
func (s *scenario) goal(engine string, connections int) float64 {
	switch {
	case !s.buys:
		return 0.5
	case connections == 64:
		return map[string]float64{"sqlite": 0.30, "postgres": 0.20}[engine]
	case connections == manyConnections:
		return map[string]float64{"sqlite": 0.45, "postgres": 0.33}[engine]
	}
	return 0
}

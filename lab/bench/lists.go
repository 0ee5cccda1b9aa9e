package main

import (
	"fmt"
	"net/url"

	"punchcard/core/access"
)

const (
	listed   = "customer?perPage=10" // the lists of customers
	window   = 10_000                // rows that pages reach, the default of --result-window
	searches = 500                   // different ones
)

// listScenario is a scenario of lists of customers, each of which is read at one of some paths below the store.
func listScenario(name string, paths func(s *shop) []string) *scenario {
	return &scenario{
		name: name, method: "GET", pattern: ofStoreCode + "customer",
		rule: access.AdministratorWith(access.Customers, access.View), alone: true,
		requests: func(s *shop, p *loadPlan) {
			s.byAdmin(p, "", "", 0)
			p.Paths = nil
			for _, path := range paths(s) {
				p.Paths = append(p.Paths, ofStore+path)
			}
		},
	}
}

// search is a scenario of searches for words of a customer with a number.
func search(name string, words func(s *shop, number int) string) *scenario {
	return listScenario(name, func(s *shop) (paths []string) {
		for i := range searches {
			// 7,919 is a prime, so that the searches are spread over all customers.
			sought := words(s, i*7_919%len(s.customers))
			paths = append(paths, listed+"&q="+url.QueryEscape(sought))
		}
		return paths
	})
}

func firstPage(*shop) []string { return []string{listed + "&sort=lastName"} }

func lastPage(s *shop) []string {
	return []string{fmt.Sprintf("%s&sort=lastName&page=%d", listed, min(window, len(s.customers))/10)}
}

func lastName(s *shop, number int) string { return s.person(number).LastName }

func bothNames(s *shop, number int) string {
	p := s.person(number)
	return p.FirstName + " " + p.LastName
}

func chineseName(s *shop, number int) string { return s.person(number/10*10 + 9).FirstName }

func address(s *shop, number int) string { return s.person(number).Email }

func phone(s *shop, number int) string { return s.person(number).Phone }

func card(s *shop, number int) string { return s.person(number).LoyaltyCard }

package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"punchcard/platform/db"
)

// listScenario measures lists, one request at a time, on a store with few rows and on one with many.
type listScenario struct {
	name  string
	reads []listRead
}

// listRead is one kind of request. turn counts the requests of the kind.
type listRead struct {
	name string
	path func(s *listShop, turn int) string
}

const (
	ofStore   = "/api/" + storeCode + "/"
	customers = ofStore + "customer"
	receipts  = ofStore + "transaction"
	transfers = ofStore + "points/transfer"
	bought    = ofStore + "campaign/bought"

	listedPerPage = 10     // so that both stores answer with full pages
	listWindow    = 10_000 // default of --result-window
)

var listScenarios = []listScenario{
	{"customer-lists", []listRead{
		{"first page", firstPage(customers)},
		{"first page, newest first", firstPage(customers + "?sort=createdAt&direction=desc")},
		{"first page by last name", firstPage(customers + "?sort=lastName")},
		{"last page", lastPage(customers)},
		{"last page, newest first", lastPage(customers + "?sort=createdAt&direction=desc")},
		{"last page by last name", lastPage(customers + "?sort=lastName")},
		{"search by last name", search(func(p *person) string { return p.lastName })},
		{"search by name", search(func(p *person) string { return p.firstName + " " + p.lastName })},
		{"search by e-mail", search(func(p *person) string { return p.email })},
		{"search by start of e-mail", search(func(p *person) string { return p.email[:len(p.email)-len(".com")] })},
		{"search by Chinese name", func(s *listShop, turn int) string {
			return paged(customers+"?q="+url.QueryEscape(newPerson(turn*7_919%s.rows/10*10+9, s.rows).firstName), 1)
		}},
		{"search by phone", search(func(p *person) string { return p.phone })},
		{"search by card", search(func(p *person) string { return p.card })},
	}},
	{"long-lists", []listRead{
		{"receipts, first page", firstPage(receipts)},
		{"receipts, last page", lastPage(receipts)},
		{"receipts, newest first, last page", lastPage(receipts + "?sort=purchaseDate&direction=desc")},
		{"transfers, first page", firstPage(transfers)},
		{"transfers, last page", lastPage(transfers)},
		{"bought coupons, first page", firstPage(bought)},
		{"bought coupons, last page", lastPage(bought)},
		{"bought coupons, newest first, last page", lastPage(bought + "?sort=purchasedAt&direction=desc")},
		{"codes, first page", func(s *listShop, _ int) string { return paged(s.codes(), 1) }},
		{"codes, last page", func(s *listShop, _ int) string { return paged(s.codes(), s.lastPage()) }},
		{"events, newest first", func(*listShop, int) string { return "/api/event?perPage=10&direction=desc" }},
	}},
}

func firstPage(list string) func(*listShop, int) string {
	return func(*listShop, int) string { return paged(list, 1) }
}

// lastPage reads the last page that the result window reaches.
func lastPage(list string) func(*listShop, int) string {
	return func(s *listShop, _ int) string { return paged(list, s.lastPage()) }
}

func search(words func(*person) string) func(*listShop, int) string {
	return func(s *listShop, turn int) string {
		// 7,919 is a prime, so that the searches are spread over all customers.
		sought := words(newPerson(turn*7_919%s.rows, s.rows))
		return paged(customers+"?q="+url.QueryEscape(sought), 1)
	}
}

func paged(list string, page int) string {
	address, err := url.Parse(list)
	if err != nil {
		panic(err) // the lists are constants and ids
	}
	query := address.Query()
	query.Set("page", fmt.Sprint(page))
	query.Set("perPage", fmt.Sprint(listedPerPage))
	address.RawQuery = query.Encode()
	return address.String()
}

const (
	fewRows      = 10
	listRequests = 100 // of each kind in a round, to each of the two stores
	listGoal     = 1.5 // highest ratio of p95 with many rows to p95 with few
)

// listResult compares the latencies of one kind of request.
type listResult struct {
	engine, scenario, read string
	few, many              histogram
}

func (r *listResult) ratio() float64 {
	return float64(r.many.quantile(0.95)) / float64(r.few.quantile(0.95))
}

// measureLists starts a server for few rows and one for many, and sends each request to both in turns.
func (b *bencher) measureLists(ctx context.Context, e *engine, to *report) error {
	if err := within(ctx, e.template, func(*db.DB) error { return nil }); err != nil { // only the schema
		return err
	}
	var few, many *listShop
	return b.withLists(ctx, e, fewRows, &few, func() error {
		return b.withLists(ctx, e, b.rows, &many, func() error {
			for _, scenario := range b.lists {
				for _, read := range scenario.reads {
					found := &listResult{engine: e.name, scenario: scenario.name, read: read.name}
					for turn := range b.rounds * listRequests {
						if err := errors.Join(few.ask(&found.few, read, turn), many.ask(&found.many, read, turn)); err != nil {
							return err
						}
					}
					progress("%s %s: p95 %s of %d, %s of %d: %.2f", e.name, read.name, found.few.quantile(0.95), fewRows,
						found.many.quantile(0.95), b.rows, found.ratio())
					to.listed = append(to.listed, found)
				}
			}
			return nil
		})
	})
}

// withLists runs the product on a database with a number of rows during use.
func (b *bencher) withLists(ctx context.Context, e *engine, rows int, filled **listShop, use func() error) (err error) {
	c, err := e.copy()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	var s *listShop
	if err := within(ctx, c.config, func(d *db.DB) error {
		if s, err = prepareLists(ctx, d, rows); err != nil {
			return err
		}
		return tidyUp(ctx, d)
	}); err != nil {
		return err
	}
	log := filepath.Join(b.folder, c.name+"-lists.log")
	arguments := append([]string{"serve", "--listen", "127.0.0.1:0"}, c.flags...)
	if s.server, err = startServer(ctx, log, nil, b.product, arguments...); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.server.Stop()) }()
	*filled = s
	return use()
}

// ask sends a request and adds its latency.
func (s *listShop) ask(to *histogram, read listRead, turn int) error {
	path := read.path(s, turn)
	began := time.Now()
	_, err := s.server.request("GET", path, s.adminToken, "")
	to.add(time.Since(began))
	return err
}

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	forms "punchcard/lab/shop"
)

// client sends requests one after the other. The first client is the manager, the only one that
// changes campaigns.
type client struct {
	*round
	number int
	random *rand.Rand

	calls  []*call
	unused []coupon // bought by this client
	sales  []sale   // not returned
	basket *basket  // reserved, and neither confirmed nor cancelled

	newcomer, led *customer // the one to merge; the one found by the address of a merged customer

	defects []string
	seen    []observation
}

// coupon is a coupon that a client bought.
type coupon struct {
	id, code, campaign string
	owner              *customer
}

// sale is a receipt.
type sale struct {
	number string
	value  int
	buyer  *customer
}

// basket is a reserved sale.
type basket struct {
	reservationID string
	sale
}

// retryPause is the pause after a request without a response. It is shorter than the Retry-After of a 503.
const retryPause = 20 * time.Millisecond

func (c *client) run(ctx context.Context) {
	for len(c.calls) < callsOfClient && !c.over.Load() && ctx.Err() == nil {
		if c.random.IntN(readEvery) == 0 {
			c.observe(ctx)
			continue
		}
		next, then := c.next()
		next.client = c.number
		next.key = fmt.Sprintf("%d-%d-%d", c.round.number, c.number, len(c.calls))
		if next.token == "" {
			next.token = c.adminToken
		}
		c.calls = append(c.calls, next)
		c.send(ctx, next)
		// Most clients try again. The manager must, because changes that overtake each other cannot
		// be compared.
		if c.number == 0 || c.random.IntN(leaveEvery) > 0 {
			for next.outcome == unknown && c.pause(ctx) {
				c.send(ctx, next)
			}
		}
		switch {
		case next.outcome == acknowledged && then != nil:
			then(next)
		case next.outcome == unsent || next.outcome == unknown:
			c.pause(ctx)
		}
	}
}

func (c *client) send(ctx context.Context, next *call) {
	if err := next.send(ctx, c.http, c.server.base()); err != nil {
		c.defects = append(c.defects, err.Error())
	}
}

// pause waits for retryPause; false means that the round is over.
func (c *client) pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
	case <-time.After(retryPause):
	}
	return ctx.Err() == nil && !c.over.Load()
}

// observe reads a balance, or how many coupons the campaign with codes has left.
func (c *client) observe(ctx context.Context) {
	of := c.campaigns.scarce
	if c.random.IntN(4) > 0 {
		of = c.customers[c.random.IntN(len(c.customers))].id
	}
	if seen, err := c.look(ctx, of); err == nil {
		seen.client = c.number
		c.seen = append(c.seen, seen)
	} else {
		c.pause(ctx) // a failed read is no observation
	}
}

// next draws a call, and what the client does after it is acknowledged.
func (c *client) next() (next *call, then func(*call)) {
	if c.number == 0 {
		return c.manage(), nil
	}
	who := &c.customers[c.random.IntN(len(c.customers))]
	n := c.random.IntN(100)
	switch {
	case c.basket != nil:
		return c.pay()
	case c.newcomer != nil && !who.poor:
		return c.merge(who)
	case n < 4 && !who.poor:
		return c.reserve(who)
	case n == 4 && c.led == nil:
		return c.join()
	case n < 60 || who.poor:
		return c.buy(who)
	case n < 68:
		return c.movement("adding", who, 1+c.random.IntN(9), c.comment()), nil
	case n < 74:
		return c.movement("spending", who, 1+c.random.IntN(9), c.comment()), nil
	case n < 80:
		return c.transfer(who), nil
	case n < 86:
		return c.sell(who)
	case n < 90 && len(c.sales) > 0:
		return c.takeBack(), nil
	case n < 98 && len(c.unused) > 0:
		return c.use(), nil
	case n < 99 && c.random.IntN(importEvery) == 0:
		return c.importPoints(), nil
	case n < 99:
		email := fmt.Sprintf("n%d-%d-%d@example.com", c.round.number, c.number, len(c.calls))
		return c.post(c.registration("admin/customer/register", email)), nil
	}
	return c.buy(who)
}

func (c *client) post(next *call) *call {
	next.method, next.units = http.MethodPost, max(1, next.units)
	return next
}

func (c *client) comment() string { return fmt.Sprintf("move %d-%d", c.number, len(c.calls)) }

func (c *client) movement(kind string, who *customer, value int, comment string) *call {
	return c.post(c.round.movement(kind, who, value, comment))
}

// buy buys one coupon as the customer, or some for the customer as an administrator.
func (c *client) buy(who *customer) (*call, func(*call)) {
	all := []string{c.campaigns.plenty, c.campaigns.scarce, c.campaigns.changing}
	campaign := all[c.random.IntN(len(all))]
	next := &call{units: 1, ids: couponsIn, fact: purchaseFact(who.id, campaign)}
	if who.token != "" && c.random.IntN(2) == 0 {
		next.path, next.token = storePath+"customer/campaign/"+campaign+"/buy", who.token
	} else {
		next.path = storePath + "admin/customer/" + who.id + "/campaign/" + campaign + "/buy"
		next.units = 1 + max(0, c.random.IntN(5)-2)
	}
	next.form = url.Values{"quantity": {strconv.Itoa(next.units)}}
	next.moves = []move{{who.id, -c.costs()[campaign] * next.units}}
	if campaign == c.campaigns.scarce {
		next.shelf = &shelfInput{customer: slices.Index(c.ids(), who.id), quantity: next.units}
	}
	return c.post(next), func(bought *call) {
		for _, named := range bought.named {
			id, code, _ := strings.Cut(named, " ")
			c.unused = append(c.unused, coupon{id, code, campaign, who})
		}
	}
}

// use marks a coupon as used.
func (c *client) use() *call {
	last := len(c.unused) - 1
	used := c.unused[last]
	c.unused = c.unused[:last]
	return c.post(&call{
		path: storePath + "admin/campaign/coupons/mark_as_used", ids: fixedID(used.id), fact: useFact(used.owner.id),
		form: forms.Nested("coupons[0]", url.Values{
			"campaignId": {used.campaign}, "couponId": {used.id}, "code": {used.code}, "used": {"1"},
			"customerId": {used.owner.id},
		}),
	})
}

func (c *client) transfer(from *customer) *call {
	to := &c.customers[1+c.random.IntN(len(c.customers)-1)] // not the poor one
	value := 1 + c.random.IntN(9)
	return c.post(&call{
		path: storePath + "admin/p2p-points-transfer", ids: idIn("pointsTransferId"),
		fact: transferFact(from.id, to.id, int64(value)), moves: []move{{from.id, -value}, {to.id, value}},
		form: forms.Nested("transfer", url.Values{"sender": {from.id}, "receiver": {to.id}, "points": {strconv.Itoa(value)}}),
	})
}

// importPoints uploads a file that gives points to all customers but the poor one.
func (c *client) importPoints() *call {
	next := &call{path: storePath + "points/transfer/import", ids: idIn("importId")}
	var file strings.Builder
	file.WriteString("customerEmail,points,type,comment\n")
	for i := range c.customers {
		who, value := &c.customers[i], 1+c.random.IntN(9)
		if who.poor {
			continue
		}
		fmt.Fprintf(&file, "%s,%d,adding,%s\n", who.email, value, c.comment())
		next.moves = append(next.moves, move{who.id, value})
		next.facts = append(next.facts, movementFact("adding", who.id, int64(value), c.comment()))
	}
	next.file = file.String()
	return c.post(next)
}

// reserve keeps a basket. The level takes 5 % off, so that 19 of 20 euros are paid.
func (c *client) reserve(who *customer) (*call, func(*call)) {
	times := 1 + c.random.IntN(3)
	s := sale{fmt.Sprintf("S%d-%d-%d", c.round.number, c.number, len(c.calls)), 19 * times, who}
	return c.post(&call{
			path: storePath + "checkout/reserve", ids: idIn("reservationId"),
			form: forms.Nested("checkout", url.Values{
				"customer": {who.id}, "expiresIn": {"86400"}, "items][0][sku][code": {"TEA"}, "items][0][name": {"Tea"},
				"items][0][category": {"drinks"}, "items][0][grossValue": {strconv.Itoa(20 * times)},
			}),
		}), func(made *call) {
			c.basket = &basket{made.named[0], s}
		}
}

// pay confirms the reserved basket, or cancels it.
func (c *client) pay() (*call, func(*call)) {
	b := c.basket
	c.basket = nil
	path := storePath + "checkout/reservation/" + b.reservationID
	if c.random.IntN(4) == 0 {
		return c.post(&call{path: path + "/cancel", ids: idIn("reservationId"), form: url.Values{}}), nil
	}
	return c.post(&call{
		path: path + "/confirm", ids: idIn("transactionId"), fact: documentFact(b.number, "sell"),
		form:  url.Values{"reservation[documentNumber]": {b.number}},
		moves: []move{{b.buyer.id, b.value}},
	}), func(*call) { c.sales = append(c.sales, b.sale) }
}

// join registers a customer who will be merged.
func (c *client) join() (*call, func(*call)) {
	email := fmt.Sprintf("m%d-%d-%d@example.com", c.round.number, c.number, len(c.calls))
	next := c.post(c.registration("admin/customer/register", email))
	return next, func(made *call) { c.newcomer = &customer{id: made.named[0], email: email} }
}

// merge merges the newcomer into a customer, to whom their address leads from then on.
func (c *client) merge(into *customer) (*call, func(*call)) {
	merged := c.newcomer
	c.newcomer = nil
	return c.post(&call{
		path: storePath + "admin/customer/" + into.id + "/merge", ids: idIn("mergeId"),
		form: url.Values{"merge[customerId]": {merged.id}},
	}), func(*call) { c.led = &customer{id: into.id, email: merged.email} }
}

func (c *client) sell(who *customer) (*call, func(*call)) {
	if c.led != nil && c.random.IntN(2) == 0 {
		who = c.led
	}
	s := sale{fmt.Sprintf("S%d-%d-%d", c.round.number, c.number, len(c.calls)), 1 + c.random.IntN(9), who}
	next := c.document("sell", s.number, "", s)
	next.moves = []move{{who.id, s.value}} // the earning rule gives a point per euro
	return next, func(*call) { c.sales = append(c.sales, s) }
}

func (c *client) takeBack() *call {
	last := len(c.sales) - 1
	s := c.sales[last]
	c.sales = c.sales[:last]
	next := c.document("return", "B"+s.number, s.number, s)
	next.moves = []move{{s.buyer.id, -s.value}}
	return next
}

func (c *client) document(kind, number, revised string, of sale) *call {
	return c.post(&call{
		path: storePath + "transaction", ids: idIn("transactionId"), fact: documentFact(number, kind),
		form: forms.Receipt(number, kind, revised, of.buyer.email, of.value),
	})
}

// manage changes campaigns while others buy: the name and the state of one, the limit of the other.
func (c *client) manage() *call {
	id := c.campaigns.changing
	switch c.random.IntN(4) {
	case 3:
		c.limit += limitStep
		return &call{
			method: http.MethodPut, path: storePath + "campaign/" + c.campaigns.scarce, units: 1,
			ids:  fixedID(c.campaigns.scarce),
			form: c.campaign("Scarce", scarceCost, c.limit, c.codes...), shelf: &shelfInput{limit: c.limit},
		}
	case 0:
		active := strconv.Itoa(c.random.IntN(2))
		word := map[string]string{"0": "inactive", "1": "active"}[active]
		return c.post(&call{
			path: storePath + "campaign/" + id + "/" + word, ids: fixedID(word), form: url.Values{"on": {active}},
		})
	default:
		name := fmt.Sprintf("Version %d", len(c.calls)+1)
		return &call{
			method: http.MethodPut, path: storePath + "campaign/" + id, ids: fixedID(name), units: 1,
			form: c.campaign(name, changingCost, 0, "CHANGING"),
		}
	}
}

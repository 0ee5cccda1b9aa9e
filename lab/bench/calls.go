package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// call is a write that needs something of its own each time, such as a reservation or a returned sale. It is measured
// alone, with one connection. What it needs is made before, through the product.
type call struct {
	name, method string
	arrange      func(a *arranger) (path, body string, err error)
}

// soldAlone is the call with which others are compared: a receipt of the same lines.
const soldAlone = "one-receipt"

var calls = []*call{
	{soldAlone, "POST", func(a *arranger) (string, string, error) {
		a.customer()
		return "transaction", a.document("S", "sell", ""), a.failure
	}},
	{"reserve", "POST", func(a *arranger) (string, string, error) { return "checkout/reserve", a.basket(), a.failure }},
	{"extend-reservation", "POST", func(a *arranger) (string, string, error) {
		return a.reserved() + "/extend", `{"reservation":{"expiresIn":3600}}`, a.failure
	}},
	{"cancel-reservation", "POST", func(a *arranger) (string, string, error) {
		return a.reserved() + "/cancel", "", a.failure
	}},
	{"confirm-reservation", "POST", func(a *arranger) (string, string, error) {
		return a.reserved() + "/confirm", a.receiptOf("C"), a.failure
	}},
	{"restore", "POST", func(a *arranger) (string, string, error) {
		a.send("POST", a.reserved()+"/confirm", a.receiptOf("C"))
		a.send("POST", "transaction", a.document("R", "return", fmt.Sprintf("C-%d", a.number)))
		return fmt.Sprintf("transaction/C-%d/restore", a.number), "", a.failure
	}},
	{"cancel-purchase", "POST", func(a *arranger) (string, string, error) {
		customer := a.customer()
		var bought struct{ Coupons []struct{ ID string } }
		a.read(&bought, "POST", "admin/customer/"+customer+"/campaign/"+a.shop.hot+"/buy", "")
		if len(bought.Coupons) == 0 {
			return "", "", errors.Join(errors.New("nothing was bought"), a.failure)
		}
		return "admin/customer/" + customer + "/bought/coupon/" + bought.Coupons[0].ID + "/cancel", "", a.failure
	}},
	{"merge", "POST", func(a *arranger) (string, string, error) {
		path, body := a.merge()
		return path, body, a.failure
	}},
	{"free-merged-contacts", "DELETE", func(a *arranger) (string, string, error) {
		path, body := a.merge()
		var merged struct{ MergeID string }
		a.read(&merged, "POST", path, body)
		return path + "/" + merged.MergeID + "/contacts", "", a.failure
	}},
	{"cancel-deleted-accounts", "POST", func(a *arranger) (string, string, error) {
		a.send("POST", "admin/customer/"+a.owner()+"/anonymize", "")
		return "points/deleted-accounts/cancel", "", a.failure
	}},
	{"anonymize", "POST", func(a *arranger) (string, string, error) {
		return "admin/customer/" + a.owner() + "/anonymize", "", a.failure
	}},
	{"profile", "PUT", func(a *arranger) (string, string, error) {
		return "customer/" + a.customer(), `{"customer":{"firstName":"Ola","lastName":"Lis"}}`, a.failure
	}},
	{"assign", "POST", func(a *arranger) (string, string, error) {
		a.last = -1 // nobody
		a.send("POST", "transaction", a.document("A", "sell", ""))
		return "admin/transaction/customer/assign", fmt.Sprintf(
			`{"assign":{"transactionDocumentNumber":"A-%d","customerId":%q}}`, a.number, a.customer()), a.failure
	}},
	{"custom-event", "POST", func(a *arranger) (string, string, error) {
		return "v1/earnRule/" + customEvent + "/customer/" + a.customer(), "", a.failure
	}},
	{"self-registration", "POST", func(a *arranger) (string, string, error) {
		return "customer/self_register", a.selfRegistration(), nil
	}},
	{"log-in", "POST", func(a *arranger) (string, string, error) {
		return "customer/login_check", a.account(), a.failure
	}},
	{"refresh", "POST", func(a *arranger) (string, string, error) {
		var tokens struct {
			Refresh string `json:"refresh_token"`
		}
		a.read(&tokens, "POST", "customer/login_check", a.account())
		return "token/refresh", fmt.Sprintf(`{"refresh_token":%q}`, tokens.Refresh), a.failure
	}},
}

// arranger makes what calls need. Each customer is used once: those who own coupons from the first one on, others from
// the last one on.
type arranger struct {
	*trial
	number        int   // of the call, which no other call has
	owners, spent int   // customers of either kind who were used
	last          int   // the last one
	failure       error // the first one; later requests are not sent
}

// read sends a request and reads its response.
func (a *arranger) read(into any, method, path, body string) {
	if a.failure != nil {
		return
	}
	text, err := a.server.request(method, ofStore+path, a.shop.adminToken, body)
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	a.failure = err
}

func (a *arranger) send(method, path, body string) { a.read(nil, method, path, body) }

func (a *arranger) owner() string {
	a.owners++
	return a.person(a.owners-1, a.owners <= a.shop.owners)
}

func (a *arranger) customer() string {
	a.spent++
	all := len(a.shop.customers)
	return a.person(all-a.spent, all-a.spent >= a.shop.owners)
}

func (a *arranger) person(index int, left bool) string {
	if !left {
		a.failure = errors.Join(a.failure, errors.New("there are too few customers: want more by -customers"))
		index = 0
	}
	a.last = index
	return a.shop.customers[index]
}

// basket is the body of a reservation of the next owner's basket.
func (a *arranger) basket() string {
	a.owner()
	return strings.Replace(checkoutBody, "{item}", a.shop.baskets[a.owners-1], 1)
}

// reserved reserves a basket, and returns the path of the reservation.
func (a *arranger) reserved() string {
	var made struct{ ReservationID string }
	a.read(&made, "POST", "checkout/reserve", a.basket())
	return "checkout/reservation/" + made.ReservationID
}

func (a *arranger) receiptOf(series string) string {
	return fmt.Sprintf(`{"reservation":{"documentNumber":"%s-%d"}}`, series, a.number)
}

// selfRegistration returns the form of a customer with a password.
func (a *arranger) selfRegistration() string {
	return fmt.Sprintf(`{"customer":{"firstName":"Ida","lastName":"Berg","email":"account-%d@example.com",
		"plainPassword":"Correct-Horse-7","agreement1":true}}`, a.number)
}

// account registers a customer with a password, and returns the body of the log-in.
func (a *arranger) account() string {
	var made struct{ CustomerID string }
	a.read(&made, "POST", "customer/self_register", a.selfRegistration())
	a.send("POST", "admin/customer/"+made.CustomerID+"/activate", "")
	return fmt.Sprintf(`{"username":"account-%d@example.com","password":"Correct-Horse-7"}`, a.number)
}

// document is a receipt of the last customer with the lines of a basket, or its return.
func (a *arranger) document(series, kind, revised string) string {
	_, items, _ := strings.Cut(checkoutBody, `"items":`)
	email := "nobody@example.com"
	if a.last >= 0 {
		email = a.shop.person(a.last).Email
	}
	return fmt.Sprintf(`{"transaction":{"transactionData":{"documentNumber":"%s-%d","documentType":%q},
		"revisedDocument":%q,
		"customerData":{"name":"Ida Berg","email":%q},"items":%s`, series, a.number, kind, revised, email,
		items)
}

// merge returns the request that merges two customers without coupons.
func (a *arranger) merge() (path, body string) {
	into := a.customer()
	return "admin/customer/" + into + "/merge", fmt.Sprintf(`{"merge":{"customerId":%q}}`, a.customer())
}

// called has the results of a call.
type called struct {
	engine, name     string
	took, statements []float64 // microseconds and statements of each
}

// measureCalls measures the chosen calls in turns on one server.
func (b *bencher) measureCalls(ctx context.Context, e *engine, s *shop, to *report) error {
	if len(b.calls) == 0 {
		return nil
	}
	a := &arranger{trial: b.newTrial(e, s, 1, nil)}
	found := make([]*called, len(b.calls))
	for i, c := range b.calls {
		found[i] = &called{engine: e.name, name: c.name}
	}
	to.called = append(to.called, found...)
	return a.serve(ctx, func(*database) error {
		for range b.each {
			for i, c := range b.calls {
				a.number++
				if err := a.measureCall(c, found[i]); err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
			}
		}
		return ctx.Err()
	})
}

// measureCall makes a call, and adds what it took.
func (a *arranger) measureCall(c *call, to *called) error {
	path, body, err := c.arrange(a)
	if err = errors.Join(err, a.failure); err != nil {
		return err
	}
	before, err := a.server.statements()
	if err != nil {
		return err
	}
	began := time.Now()
	if _, err := a.server.request(c.method, ofStore+path, a.shop.adminToken, body); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := a.server.statements()
	to.took = append(to.took, float64(took.Microseconds()))
	to.statements = append(to.statements, float64(after-before))
	return err
}

func (r *report) callTable() table {
	t := table{legend: callLegend, lines: [][]string{{"engine", "call", "calls", "p50 ms", "statements"}}}
	for _, f := range r.called {
		t.add(f.engine, f.name, fmt.Sprint(len(f.took)), fmt.Sprintf("%.1f", median(f.took)/1000),
			whole(median(f.statements)))
	}
	return t
}

const callLegend = `
Writes that are made alone, one after the other: medians. Statements include what the server does in the background.`

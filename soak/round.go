package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	customersOfRound = 12
	withTokens       = 2 // of them, who buy themselves
	wealth           = 10_000
	poverty          = 30 // points of the one who cannot pay for all that he asks for
	codesOfRound     = 150
	limitOfRound     = 120 // purchases of the campaign with codes
	callsOfClient    = 2000
)

// fault is what ends a round.
type fault string

const (
	killServer   fault = "SIGKILL"
	stopServer   fault = "SIGTERM"
	killDatabase fault = "database killed"
)

// faults take turns; a database that is no server of our own is left alone, and the product killed in its place.
var faults = [...]fault{killServer, killDatabase, stopServer, killServer, killServer}

// counts are what happened in rounds.
type counts struct{ tried, verified, refused, lost, repeated int }

func (c *counts) add(other counts) {
	c.tried += other.tried
	c.verified += other.verified
	c.refused += other.refused
	c.lost += other.lost
	c.repeated += other.repeated
}

// String tells the counts.
func (c counts) String() string {
	return fmt.Sprintf("%d tried, %d acknowledged and verified, %d refused, %d without an answer, %d repeated",
		c.tried, c.verified, c.refused, c.lost, c.repeated)
}

// round is one load and the fault that ends it.
type round struct {
	options
	*shop
	engine *engine
	server *server
	number int
	random *rand.Rand

	fault     fault
	customers []customer
	campaigns campaigns
	setUp     []*call
	clients   []*client
	over      atomic.Bool

	restarted time.Duration // from the start of the process until it served
	findings  []string
	counts
}

// customer is one who buys in this round only.
type customer struct {
	id, email, token string
	poor             bool // spends nothing but on coupons, and earns nothing
}

// campaigns are those of the round.
type campaigns struct{ plenty, scarce, changing string }

func (r *round) find(format string, values ...any) {
	r.findings = append(r.findings, fmt.Sprintf(format, values...))
}

func (r *round) run(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return fmt.Errorf("set-up: %w", err)
	}
	r.fault = faults[r.number%len(faults)]
	if r.fault == killDatabase && r.engine.cluster == nil {
		r.fault = killServer
	}
	var running sync.WaitGroup
	for i := range r.options.clients {
		c := &client{round: r, number: i, random: rand.New(rand.NewPCG(r.random.Uint64(), uint64(i)))}
		r.clients = append(r.clients, c)
	}
	for _, c := range r.clients {
		running.Go(func() { c.run(ctx) })
	}
	err := r.strike(ctx)
	r.over.Store(true)
	running.Wait()
	if err != nil {
		return err
	}
	if err := r.restart(ctx); err != nil {
		return err
	}
	return r.verify(ctx)
}

// pause waits for a drawn part of the load.
func (r *round) pause(ctx context.Context) {
	span := r.shortest + time.Duration(r.random.Int64N(int64(r.longest-r.shortest)+1))
	select {
	case <-ctx.Done():
	case <-time.After(span):
	}
}

// strike lets the load go on for a while and carries out the fault.
func (r *round) strike(ctx context.Context) error {
	r.pause(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case r.fault == stopServer:
		return r.server.stop()
	case r.fault == killServer:
		return r.server.kill()
	}
	if err := r.engine.cluster.Restart(); err != nil {
		return err
	}
	r.pause(ctx)
	return ctx.Err()
}

// restart starts the server when the fault ended it.
func (r *round) restart(ctx context.Context) error {
	if r.fault == killDatabase {
		return nil
	}
	r.http.CloseIdleConnections()
	began := time.Now()
	err := r.server.start(ctx)
	r.restarted = time.Since(began)
	return err
}

// open registers the customers of the round and makes its campaigns.
func (r *round) open(ctx context.Context) error {
	for i := range customersOfRound {
		c := customer{email: fmt.Sprintf("c%d-%d@example.com", r.number, i), poor: i == 0}
		if err := r.register(ctx, &c, i < withTokens); err != nil {
			return err
		}
		r.customers = append(r.customers, c)
	}
	codes := make([]string, codesOfRound)
	for i := range codes {
		codes[i] = fmt.Sprintf("R%d-%d", r.number, i)
	}
	for into, form := range map[*string]url.Values{
		&r.campaigns.plenty:   r.campaign("Plenty", 3, "PLENTY"),
		&r.campaigns.scarce:   r.campaign("Scarce", 1, codes...),
		&r.campaigns.changing: r.campaign("Version 0", 2, "CHANGING"),
	} {
		c := &call{path: store + "campaign", form: form, ids: idIn("campaignId")}
		if err := r.must(ctx, c); err != nil {
			return err
		}
		*into = c.named[0]
	}
	return nil
}

// campaign is the form of a campaign: of many codes, with a limit, or of a single one, without.
func (r *round) campaign(name string, cost int, codes ...string) url.Values {
	form := url.Values{
		"reward": {"discount_code"}, "translations][en][name": {name}, "translations][pl][name": {name},
		"active": {"1"}, "pushNotificationText": {name}, "costInPoints": {strconv.Itoa(cost)}, "target": {"level"},
		"levels][": {r.level}, "coupons][": codes, "daysInactive": {"0"}, "daysValid": {"0"},
		"campaignVisibility][allTimeVisible": {"1"}, "campaignActivity][allTimeActive": {"1"},
	}
	if len(codes) == 1 {
		form.Set("singleCoupon", "1")
		form.Set("unlimited", "1")
	} else {
		form.Set("limit", strconv.Itoa(limitOfRound))
		form.Set("limitPerUser", strconv.Itoa(limitOfRound))
	}
	return within("campaign", form)
}

// within puts the fields of a form below one name.
func within(name string, fields url.Values) url.Values {
	form := url.Values{}
	for field, values := range fields {
		form[name+"["+field+"]"] = values
	}
	return form
}

// register adds a customer with points, and logs one with a password in.
func (r *round) register(ctx context.Context, c *customer, withPassword bool) error {
	added := r.registration("admin/customer/register", c.email)
	if withPassword {
		added = r.registration("customer/self_register", c.email)
		added.form.Set("customer[plainPassword]", customerPassword)
	}
	if err := r.must(ctx, added); err != nil {
		return err
	}
	r.setUp = append(r.setUp, added)
	c.id = added.named[0]
	if withPassword {
		path := store + "admin/customer/" + c.id + "/activate"
		activated := &call{path: path, form: url.Values{"on": {"1"}}, ids: known(c.id)}
		if err := r.must(ctx, activated); err != nil {
			return err
		}
		var err error
		if c.token, err = r.logIn(ctx, store+"customer/login_check", c.email, customerPassword); err != nil {
			return err
		}
	}
	value := wealth
	if c.poor {
		value = poverty
	}
	granted := r.movement("adding", c, value, "welcome "+c.email)
	r.setUp = append(r.setUp, granted)
	return r.must(ctx, granted)
}

func (r *round) registration(path, email string) *call {
	return &call{
		path: store + path, ids: idIn("customerId"), fact: "registration of " + email,
		form: within("customer", url.Values{
			"firstName": {"Ida"}, "lastName": {"Berg"}, "email": {email}, "agreement1": {"1"},
		}),
	}
}

// movement gives points to a customer, or takes them.
func (r *round) movement(kind string, c *customer, value int, comment string) *call {
	path := map[string]string{"adding": "points/transfer/add", "spending": "points/transfer/spend"}[kind]
	return &call{
		path: store + path, ids: idIn("pointsTransferId"),
		fact: movementFact(kind, c.id, int64(value), strings.TrimSpace(comment)),
		form: within("transfer", url.Values{
			"customer": {c.id}, "points": {strconv.Itoa(value)}, "comment": {comment},
		}),
	}
}

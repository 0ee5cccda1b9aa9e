package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	forms "punchcard/lab/shop"
)

const (
	customersOfRound = 12
	withTokens       = 2 // customers who buy for themselves
	usualPoints      = 10_000
	fewPoints        = 30 // points of the customer who cannot pay for everything
	codesOfRound     = 600
	callsOfClient    = 4000
	readEvery        = 10 // one in this many requests of a client is a read
	importEvery      = 4  // one in this many registrations is an import instead
	leaveEvery       = 8  // one in this many requests without a response is repeated only after the round

	// The campaign with codes.
	firstLimit       = 40 // purchases, at first
	limitStep        = 10 // by which the manager raises the limit
	limitPerCustomer = 60

	plentyCost, scarceCost, changingCost = 3, 1, 2 // points
)

// counts are the numbers of events in rounds.
type counts struct {
	tried, verified, refused, lost, repeated int

	operations, undecided int // in histories; histories that took too long to check
}

func (c *counts) add(other counts) {
	c.tried += other.tried
	c.verified += other.verified
	c.refused += other.refused
	c.lost += other.lost
	c.repeated += other.repeated
	c.operations += other.operations
	c.undecided += other.undecided
}

func (c counts) String() string {
	return fmt.Sprintf("%d sent, %d acknowledged and verified, %d refused, %d without a response, %d repeated, "+
		"%d in histories, %d histories undecided",
		c.tried, c.verified, c.refused, c.lost, c.repeated, c.operations, c.undecided)
}

// round is one load, its faults, and the comparison afterwards.
type round struct {
	options
	*shop
	engine *engine
	server *server
	number int
	before int // earlier rounds with the same message queue
	random *rand.Rand
	folder string    // for files about findings
	epoch  time.Time // of histories

	databaseLost atomic.Bool // the database could not be reached for a while
	strikes      map[string]int
	codes        []string
	limit        int // the last limit that the manager set
	customers    []customer
	campaigns    campaigns
	setUp        []*call
	clients      []*client
	seen         []observation
	over         atomic.Bool

	restarted time.Duration // the longest time from the start of the process until it served
	findings  []string
	counts
}

// customer is a customer of this round only.
type customer struct {
	id, email, token string
	poor             bool // spends only on coupons, and earns nothing
}

// campaigns are the campaigns of the round.
type campaigns struct{ plenty, scarce, changing string }

func (r *round) addFinding(format string, values ...any) {
	r.findings = append(r.findings, fmt.Sprintf(format, values...))
}

func (r *round) run(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return fmt.Errorf("set-up: %w", err)
	}
	var running sync.WaitGroup
	for i := range r.options.clients {
		c := &client{round: r, number: i, random: rand.New(rand.NewPCG(r.random.Uint64(), uint64(i)))}
		r.clients = append(r.clients, c)
	}
	for _, c := range r.clients {
		running.Go(func() { c.run(ctx) })
	}
	err := r.strikeAll(ctx)
	r.over.Store(true)
	running.Wait()
	if err == nil {
		err = r.restart(ctx)
	}
	if err != nil {
		return err
	}
	return r.verify(ctx)
}

// strikeAll applies faults to the load. After the last one the server stays down, so that the
// clients end with requests without a response.
func (r *round) strikeAll(ctx context.Context) error {
	for number := range r.options.strikes {
		if err := r.restart(ctx); err != nil {
			return err
		}
		if err := r.strike(ctx, number); err != nil {
			return err
		}
	}
	return nil
}

// costs are the prices of the campaigns, in points.
func (r *round) costs() map[string]int {
	return map[string]int{
		r.campaigns.plenty: plentyCost, r.campaigns.scarce: scarceCost, r.campaigns.changing: changingCost,
	}
}

// ids are the customers of the round.
func (r *round) ids() []string {
	var ids []string
	for _, c := range r.customers {
		ids = append(ids, c.id)
	}
	return ids
}

// look reads a balance, or what the campaign with codes has left.
func (r *round) look(ctx context.Context, of string) (seen observation, err error) {
	path := storePath + "admin/customer/" + of + "/status"
	if of == r.campaigns.scarce {
		path = storePath + "campaign/" + of
	}
	var result struct{ Points, UsageLeft int }
	seen = observation{of: of, client: len(r.clients), sent: time.Now()}
	err = r.get(ctx, path, &result)
	seen.answered, seen.value = time.Now(), result.Points+result.UsageLeft // one of them is absent
	return seen, err
}

// lookAtAll reads every balance and the campaign with codes.
func (r *round) lookAtAll(ctx context.Context) error {
	for _, of := range append(r.ids(), r.campaigns.scarce) {
		seen, err := r.look(ctx, of)
		if err != nil {
			return err
		}
		r.seen = append(r.seen, seen)
	}
	return nil
}

// observations returns all values read.
func (r *round) observations() []observation {
	all := slices.Clone(r.seen)
	for _, c := range r.clients {
		all = append(all, c.seen...)
	}
	return all
}

// open registers the customers of the round and creates its campaigns.
func (r *round) open(ctx context.Context) error {
	for i := range customersOfRound {
		c := customer{email: fmt.Sprintf("c%d-%d@example.com", r.number, i), poor: i == 0}
		if err := r.register(ctx, &c, i < withTokens); err != nil {
			return err
		}
		r.customers = append(r.customers, c)
	}
	r.codes, r.limit = make([]string, codesOfRound), firstLimit
	for i := range r.codes {
		r.codes[i] = fmt.Sprintf("R%d-%d", r.number, i)
	}
	for into, form := range map[*string]url.Values{
		&r.campaigns.plenty:   r.campaign("Plenty", plentyCost, 0, "PLENTY"),
		&r.campaigns.scarce:   r.campaign("Scarce", scarceCost, firstLimit, r.codes...),
		&r.campaigns.changing: r.campaign("Version 0", changingCost, 0, "CHANGING"),
	} {
		c := &call{path: storePath + "campaign", form: form, ids: idIn("campaignId")}
		if err := r.must(ctx, c); err != nil {
			return err
		}
		*into = c.named[0]
	}
	return nil
}

// campaign returns the form of a campaign with many codes and a limit, or with a single code and
// the limit 0.
func (r *round) campaign(name string, cost, limit int, codes ...string) url.Values {
	return forms.Campaign(name, r.level, cost, limit, limitPerCustomer, codes...)
}

// register adds a customer with points, and logs in one who has a password.
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
		path := storePath + "admin/customer/" + c.id + "/activate"
		activated := &call{path: path, form: url.Values{"on": {"1"}}, ids: fixedID(c.id)}
		if err := r.must(ctx, activated); err != nil {
			return err
		}
		var err error
		if c.token, err = r.logIn(ctx, storePath+"customer/login_check", c.email, customerPassword); err != nil {
			return err
		}
	}
	value := usualPoints
	if c.poor {
		value = fewPoints
	}
	granted := r.movement("adding", c, value, "welcome "+c.email)
	r.setUp = append(r.setUp, granted)
	return r.must(ctx, granted)
}

func (r *round) registration(path, email string) *call {
	return &call{
		path: storePath + path, ids: idIn("customerId"), fact: "registration of " + email,
		form: forms.Registration(email),
	}
}

// movement adds or spends points of a customer.
func (r *round) movement(kind string, c *customer, value int, comment string) *call {
	path := map[string]string{"adding": "points/transfer/add", "spending": "points/transfer/spend"}[kind]
	added := map[string]int{"adding": value, "spending": -value}[kind]
	return &call{
		path: storePath + path, ids: idIn("pointsTransferId"), moves: []move{{c.id, added}},
		fact: movementFact(kind, c.id, int64(value), strings.TrimSpace(comment)),
		form: forms.Points(c.id, value, comment),
	}
}

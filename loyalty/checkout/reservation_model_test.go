package checkout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

// server is a server of a shop, which has the database open.
type server struct {
	db   *db.DB
	desk *purchase.Desk
	svc  *Service
}

func newServer(d *db.DB) *server {
	desk := purchase.NewDesk(d, campaign.RewardTypes)
	rules := earning.New(desk)
	feature.Connect(d, feature.On(purchase.Reduced), feature.On(desk.Returned))
	return &server{d, desk, New(d, desk, rules, api.Guesses{}, transaction.Hooks{Earn: rules.Earn}, 100)}
}

// market is a shop with two campaigns: limited has codes and limits, single has neither.
type market struct {
	campaigntest.Shop
	clock           *dbtest.Clock
	servers         []*server
	limited, single string
	customers       []string
}

const (
	limitedCost, singleCost = 30, 20 // points
	limitedOff              = 4      // euros that a coupon of either takes off
	codes, limit, perUser   = 4, 3, 2
)

// openMarket opens a shop with two servers on PostgreSQL, where points never expire and each euro brings one.
func openMarket(t testing.TB, engine string) *market {
	t.Helper()
	clock := dbtest.NewClock(time.Date(2031, 3, 3, 10, 15, 0, 0, time.UTC))
	config := dbtest.Config(t, engine)
	m := &market{clock: clock}
	d := dbtest.Open(t, config, clock.Now)
	m.servers = []*server{newServer(d)}
	if engine == "postgres" {
		m.servers = append(m.servers, newServer(dbtest.Open(t, config, clock.Now)))
	}
	m.Shop = campaigntest.Open(t, d, func(s *store.Settings) {
		s.AllTimeNotLocked, s.PointsDaysExpiryAfter, s.Returns = true, store.ExpiryNever, true
	}, level.Level{Active: true})
	m.Write(func(tx *db.Tx) error {
		_, err := m.servers[0].svc.earning.Create(tx, m.Store, earning.Rule{
			Type: earning.Spending, Name: "Euros", Active: true, AllTime: true,
			Definition: earning.Definition{Everybody: true, General: earning.General{PointValue: decimal.OneRate}},
		})
		return err
	})
	return m
}

// restock replaces campaigns and customers by new ones.
func (m *market) restock(customers int) {
	off := decimal.Whole(limitedOff).Money()
	m.limited = m.Campaign("Limited", func(d *campaign.Draft) {
		d.Reward, d.Cost = campaign.ValueCode, decimal.Whole(limitedCost)
		d.Unlimited, d.Limit, d.LimitPerUser = false, limit, perUser
		d.Codes, d.Definition.RewardValue = campaigntest.Codes(codes), &off
	})
	m.single = m.Campaign("Single", func(d *campaign.Draft) {
		d.Reward, d.Cost, d.SingleCoupon = campaign.ValueCode, decimal.Whole(singleCost), true
		d.Codes, d.Definition.RewardValue = []string{"SAME-" + db.NewID()}, &off
	})
	m.customers = m.Customers(customers, 100)
}

// modelled holds the expected state of the market.
type modelled struct {
	*market
	points       map[string]points.Amount
	sold         map[string]int64            // by campaign
	mine         map[string]map[string]int64 // by customer and campaign
	reservations []*modelReservation
	coupons      map[string]*modelCoupon
	sales        []*modelSale
	documents    int
}

type modelReservation struct {
	*reservation
	open bool // neither confirmed nor cancelled
}

type modelCoupon struct {
	id, customer, campaign, code string
	used                         bool
	heldBy                       *modelReservation
}

type modelSale struct {
	number, customer string
	left             []transaction.Item
	earned, taken    points.Amount
}

func newModel(m *market) *modelled {
	md := &modelled{market: m, points: map[string]points.Amount{}, sold: map[string]int64{},
		mine: map[string]map[string]int64{}, coupons: map[string]*modelCoupon{}}
	for _, id := range m.customers {
		md.points[id], md.mine[id] = decimal.Whole(100), map[string]int64{}
	}
	return md
}

func (m *modelled) live(r *modelReservation) bool {
	return r != nil && r.open && r.ExpiresAt.After(m.clock.Now())
}

// held returns how many purchases of a campaign live reservations keep, of all customers and of one.
func (m *modelled) held(campaignID, customerID string) (all, mine int64, cost points.Amount) {
	for _, r := range m.reservations {
		if !m.live(r) {
			continue
		}
		for _, reward := range r.Basket.Rewards {
			if r.CustomerID == customerID {
				cost += reward.Cost
			}
			if reward.CampaignID == campaignID {
				all++
				if r.CustomerID == customerID {
					mine++
				}
			}
		}
	}
	return all, mine, cost
}

// canBuy reports whether a customer can buy a campaign now.
func (m *modelled) canBuy(customerID, campaignID string) bool {
	all, mine, _ := m.held(campaignID, customerID)
	if campaignID == m.single {
		return m.points[customerID] >= decimal.Whole(singleCost)
	}
	return m.points[customerID] >= decimal.Whole(limitedCost) && m.sold[campaignID]+all < min(limit, codes) &&
		m.mine[customerID][campaignID]+mine < perUser
}

// Random sequences of what reservations, purchases, receipts and returns do, on two servers of PostgreSQL, follow the
// model: nothing is oversold, and no point is lost.
func TestReservationsFollowTheModel(t *testing.T) {
	dbtest.Both(t)
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			shop := openMarket(t, engine)
			rapid.Check(t, func(r *rapid.T) {
				shop.restock(2)
				m := newModel(shop)
				for range rapid.IntRange(1, 20).Draw(r, "steps") {
					m.step(r, rapid.SampledFrom(m.servers).Draw(r, "server"))
					m.compare(r)
				}
				m.expectClean(r)
			})
		})
	}
}

func (m *modelled) step(r *rapid.T, on *server) {
	customerID := rapid.SampledFrom(m.customers).Draw(r, "customer")
	switch rapid.IntRange(0, 10).Draw(r, "action") {
	case 10:
		m.extend(r, on)
	case 0, 1, 2:
		m.reserve(r, on, customerID)
	case 3, 4:
		m.confirm(r, on)
	case 5:
		m.cancel(r, on)
	case 6:
		m.buy(r, on, customerID)
	case 7:
		m.receipt(r, on, customerID)
	case 8:
		m.giveBack(r, on)
	case 9:
		m.clock.Advance(time.Duration(rapid.IntRange(1, 900).Draw(r, "seconds")) * time.Second)
	}
}

func (m *modelled) write(on *server, run func(tx *db.Tx) error) error {
	return store.Write(background, on.db, m.Store, run)
}

func basketOf(r *rapid.T) []transaction.Item {
	items := make([]transaction.Item, 2)
	for i, sku := range []string{"TEA", "CUP"} {
		items[i] = transaction.Item{SKU: transaction.SKU{Code: sku}, Name: sku, Quantity: oneUnit,
			Labels: []transaction.Label{}, GrossValue: decimal.Whole(rapid.Int64Range(15, 30).Draw(r, sku)).Money()}
	}
	return items
}

func (m *modelled) reserve(r *rapid.T, on *server, customerID string) {
	m.settled()
	in := request{store: m.Store, customer: customerID, items: basketOf(r), role: access.Administrator,
		rewards: rapid.SliceOfN(rapid.SampledFrom([]string{m.limited, m.single}), 0, 3).Draw(r, "rewards")}
	free := map[string]int{}
	for _, c := range m.coupons {
		if c.customer == customerID && !c.used && !m.live(c.heldBy) {
			free[c.code]++
		}
	}
	for _, code := range slices.Sorted(maps.Keys(free)) {
		if rapid.Bool().Draw(r, "coupon") {
			in.coupons = append(in.coupons, purchase.CouponCode{Code: code})
		}
	}
	var made *reservation
	err := m.write(on, func(tx *db.Tx) (err error) {
		in.lasting = time.Duration(rapid.IntRange(1, 1200).Draw(r, "seconds")) * time.Second
		made, _, err = on.svc.reserve(tx, in, "caller "+db.NewID())
		if err == nil {
			made.Checkout = "{}"
			err = made.insert(tx)
		}
		return err
	})
	open := 0
	for _, other := range m.reservations {
		if m.live(other) && other.CustomerID == customerID {
			open++
		}
	}
	if open >= OpenOfCustomer {
		if !errors.Is(err, errManyOfCustomer) {
			r.Fatalf("the customer has %d open reservations: %v", open, err)
		}
		return
	}
	if err != nil {
		r.Fatal(err)
	}
	if len(in.rewards) > 0 {
		applied := slices.ContainsFunc(made.Basket.Rewards, func(of purchase.Reward) bool {
			return of.CampaignID == in.rewards[0]
		})
		if can := m.canBuy(customerID, in.rewards[0]); can && !applied || !can && len(in.rewards) == 1 && applied {
			r.Fatalf("the first reward can be had: %v; it is kept: %v", can, applied)
		}
	}
	if len(made.Basket.Coupons) != len(in.coupons) {
		r.Fatalf("%d of %d free coupons are kept", len(made.Basket.Coupons), len(in.coupons))
	}
	one := &modelReservation{made, true}
	for _, c := range made.Basket.Coupons {
		if of := m.coupons[c.CouponID]; of.used || m.live(of.heldBy) {
			r.Fatalf("a coupon is kept twice")
		}
		m.coupons[c.CouponID].heldBy = one
	}
	m.reservations = append(m.reservations, one)
	for _, reward := range made.Basket.Rewards {
		m.points[customerID] -= reward.Cost
	}
}

// settled gives the points of reservations back that have ended.
func (m *modelled) settled() {
	for _, r := range m.reservations {
		if r.open && !m.live(r) {
			m.end(r)
		}
	}
}

func (m *modelled) end(r *modelReservation) {
	r.open = false
	for _, reward := range r.Basket.Rewards {
		m.points[r.CustomerID] += reward.Cost
	}
}

func (m *modelled) chosen(r *rapid.T) *modelReservation {
	if len(m.reservations) == 0 {
		return nil
	}
	return rapid.SampledFrom(m.reservations).Draw(r, "reservation")
}

func (m *modelled) extend(r *rapid.T, on *server) {
	of := m.chosen(r)
	if of == nil {
		return
	}
	seconds := rapid.IntRange(1, 1800).Draw(r, "seconds")
	until := m.clock.Now().Add(time.Duration(seconds) * time.Second)
	live := m.live(of)
	var found *reservation
	err := m.write(on, func(tx *db.Tx) (err error) {
		if found, err = findReservation(tx, m.Store.Key, of.ID, ` FOR UPDATE`); err != nil {
			return err
		}
		if found.stateAt(tx.Now()) != Reserved {
			return found.ended()
		}
		return on.svc.extend(tx, m.Store, found, until)
	})
	if live != (err == nil) {
		r.Fatalf("extending (live: %v): %v", live, err)
	}
	if !live {
		return
	}
	if want := latest(of.ExpiresAt, until); !found.ExpiresAt.Equal(want) {
		r.Fatalf("extended until %v, want %v", found.ExpiresAt, want)
	}
	of.reservation = found
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (m *modelled) confirm(r *rapid.T, on *server) {
	of := m.chosen(r)
	if of == nil {
		return
	}
	m.documents++
	number := fmt.Sprintf("C-%s-%d", m.limited, m.documents)
	found, err := on.svc.confirmations.Do(context.Background(), m.Store, m.confirmation(of.ID, number))
	if err == nil {
		of.reservation = found
	}
	if live := m.live(of); live != (err == nil) {
		r.Fatalf("confirming (live: %v): %v", live, err)
	} else if !live {
		m.expectConflict(r, err)
		return
	}
	of.open = false
	sale := &modelSale{number: number, customer: of.CustomerID, left: slices.Clone(of.Basket.Items)}
	for i := range sale.left {
		sale.earned += points.Amount(sale.left[i].GrossValue / 100)
	}
	if of.Outcome.Earned != sale.earned {
		r.Fatalf("earned %v, want %v", of.Outcome.Earned, sale.earned)
	}
	m.points[of.CustomerID] += sale.earned
	m.sales = append(m.sales, sale)
	for _, c := range of.Basket.Coupons {
		m.coupons[c.CouponID].used = true
	}
	for i, b := range of.Outcome.Bought {
		m.bought(of.CustomerID, of.Basket.Rewards[i].CampaignID, b.CouponID, b.Code, true)
	}
}

func (m *modelled) bought(customerID, campaignID, couponID, code string, used bool) {
	m.sold[campaignID]++
	m.mine[customerID][campaignID]++
	m.coupons[couponID] = &modelCoupon{couponID, customerID, campaignID, code, used, nil}
}

func (m *modelled) expectConflict(r *rapid.T, err error) {
	if refusal, is := errors.AsType[*fault.Error](err); !is || refusal.Kind != fault.Conflict {
		r.Fatalf("an ended reservation: %v", err)
	}
}

func (m *modelled) cancel(r *rapid.T, on *server) {
	of := m.chosen(r)
	if of == nil {
		return
	}
	var found *reservation
	err := m.write(on, func(tx *db.Tx) (err error) {
		found, err = on.cancelOpen(tx, m.Store, of.ID)
		return err
	})
	if err == nil {
		of.reservation = found
	}
	if live := m.live(of); live != (err == nil) {
		r.Fatalf("cancelling (live: %v): %v", live, err)
	} else if !live {
		m.expectConflict(r, err)
		return
	}
	m.end(of)
}

func (m *modelled) buy(r *rapid.T, on *server, customerID string) {
	m.settled()
	id := rapid.SampledFrom([]string{m.limited, m.single}).Draw(r, "campaign")
	can := m.canBuy(customerID, id)
	coupons, err := on.desk.Buy(background, purchase.Buy{
		Store: m.Store, CustomerID: customerID, CampaignID: id, Quantity: 1, Locale: "en",
	})
	if can != (err == nil) {
		r.Fatalf("buying (can: %v): %v", can, err)
	}
	if can {
		cost := decimal.Whole(limitedCost)
		if id == m.single {
			cost = decimal.Whole(singleCost)
		}
		m.points[customerID] -= cost
		m.bought(customerID, id, coupons[0].ID, coupons[0].Code, false)
	}
}

func (m *modelled) receipt(r *rapid.T, on *server, customerID string) {
	m.documents++
	sale := &modelSale{number: fmt.Sprintf("S-%s-%d", m.limited, m.documents), customer: customerID, left: basketOf(r)}
	err := m.write(on, func(tx *db.Tx) error {
		who, err := customer.Find(tx, m.Store.Key, customerID)
		if err != nil {
			return err
		}
		paid := transaction.Paid{Customer: who, Transaction: transaction.Transaction{
			DocumentNumber: sale.number, Items: slices.Clone(sale.left), Labels: []transaction.Label{}}}
		_, err = on.svc.receipts.RegisterPaid(tx, m.Store, paid)
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	for i := range sale.left {
		sale.earned += points.Amount(sale.left[i].GrossValue / 100)
	}
	m.points[customerID] += sale.earned
	m.sales = append(m.sales, sale)
}

// giveBack returns a line of a sale, or a part of it.
func (m *modelled) giveBack(r *rapid.T, on *server) {
	m.settled()
	if len(m.sales) == 0 {
		return
	}
	sale := rapid.SampledFrom(m.sales).Draw(r, "sale")
	i := rapid.IntRange(0, 1).Draw(r, "line")
	line := &sale.left[i]
	if line.GrossValue == 0 {
		return
	}
	back := *line
	if rapid.Bool().Draw(r, "a part") {
		back.GrossValue = line.GrossValue / 20_000 * 10_000 // half of it, in whole euros
		if back.GrossValue == 0 {
			return
		}
	}
	m.documents++
	err := m.write(on, func(tx *db.Tx) error {
		_, err := transaction.Register(tx, m.Store, transaction.Transaction{Type: transaction.Return,
			RevisedDocument: sale.number, DocumentNumber: fmt.Sprintf("R-%s-%d", m.limited, m.documents),
			Items: []transaction.Item{back}, Labels: []transaction.Label{}}, on.svc.receipts)
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	line.GrossValue -= back.GrossValue
	value := points.Amount(back.GrossValue / 100)
	if sale.left[0].GrossValue+sale.left[1].GrossValue == 0 {
		value = sale.earned - sale.taken
	}
	value = min(value, m.points[sale.customer], sale.earned-sale.taken)
	sale.taken += value
	m.points[sale.customer] -= value
}

// compare compares the accounts and the counters with the model, on every server.
func (m *modelled) compare(r *rapid.T) {
	m.settled()
	for _, on := range m.servers {
		err := store.Read(background, on.db, m.Store, func(tx *db.Tx) error {
			accounts, err := points.Balances(tx, m.Store, m.customers...)
			if err != nil {
				return err
			}
			counters, err := campaign.CountersOf(tx, m.Store.Key, m.limited, m.single)
			for id, a := range accounts {
				_, mine, cost := m.held(m.limited, id)
				if a.Points != m.points[id] || a.Blocked != cost || a.Held(m.limited) != mine {
					r.Fatalf("points %v, blocked %v, %d purchases kept; want %v, %v, %d", a.Points, a.Blocked,
						a.Held(m.limited), m.points[id], cost, mine)
				}
			}
			for id, k := range counters {
				if all, _, _ := m.held(id, ""); k.Sold != m.sold[id] || k.Held != all {
					r.Fatalf("sold %d, kept %d; want %d, %d", k.Sold, k.Held, m.sold[id], all)
				}
			}
			return err
		})
		if err != nil {
			r.Fatal(err)
		}
	}
}

func (m *modelled) expectClean(r *rapid.T) {
	rules := slices.Concat(Rules(), points.Rules(), purchase.Rules(campaign.RewardTypes),
		campaign.Rules(campaign.RewardTypes), transaction.Rules())
	_, err := check.Run(background, m.servers[0].db, rules, check.Report{
		Begin: func(string, int, int) {}, Finding: func(f check.Finding) { r.Errorf("%v", f) }, More: func(string, int64) {},
	})
	if err != nil {
		r.Fatal(err)
	}
}

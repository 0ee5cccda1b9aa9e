package analytics

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// activity changes coupons and receipts of some customers at random, over months, and remembers on which days each
// customer was active.
type activity struct {
	campaigntest.Shop
	random    *rand.Rand
	desk      *purchase.Desk
	campaigns []string
	places    []string // points of sale, and none
	customers []string
	bought    []purchase.Mark
	sales     []transaction.Transaction
	documents int
	active    map[string]map[calendar.Day]bool
}

func newActivity(t *testing.T, d *db.DB) *activity {
	s := campaigntest.Open(t, d, nil, shoptest.Level("Bronze", 0), shoptest.Level("Silver", 300))
	a := &activity{
		Shop: s, random: rand.New(rand.NewPCG(3, 4)), desk: purchase.NewDesk(d, campaign.RewardTypes),
		active: map[string]map[calendar.Day]bool{},
	}
	price := func(d *campaign.Draft) { d.Cost, d.Codes = decimal.Whole(1), []string{"EVERYBODY"} }
	for n := range 2 {
		a.campaigns = append(a.campaigns, s.Campaign(fmt.Sprint("Tea ", n), func(d *campaign.Draft) {
			price(d)
			d.SingleCoupon = true
		}))
	}
	a.Write(func(tx *db.Tx) error {
		for _, name := range []string{"Harbour", "Market"} {
			place, err := pos.Create(tx, a.Store.Key, pos.Details{Name: name, Identifier: name})
			if err != nil {
				return err
			}
			a.places = append(a.places, place.ID)
		}
		return nil
	})
	a.places = append(a.places, "")
	for range 4 {
		a.arrive()
	}
	return a
}

// arrive registers a customer with points.
func (a *activity) arrive() {
	id := a.Customer()
	a.customers = append(a.customers, id)
	a.Give(id, points.Grant{Value: decimal.Whole(1000)})
	a.active[id] = map[calendar.Day]bool{}
	a.note(id)
}

func (a *activity) note(id string) { a.active[id][calendar.DayOf(a.DB.Now(), a.Store.Zone)] = true }

// step makes one change. Operations refuse some of them, which then change nothing.
func (a *activity) step() {
	a.Helper()
	who := a.customers[a.random.IntN(len(a.customers))]
	var err error
	switch a.random.IntN(9) {
	case 0, 1, 2:
		err = a.buy(who)
	case 3, 4:
		err = a.use()
	case 5, 6:
		err = a.sell(who)
	case 7:
		err = a.giveBack()
	case 8:
		if a.random.IntN(2) == 0 {
			err = a.assign(who)
		} else if a.random.IntN(8) == 0 {
			err = a.leave(who)
		}
	}
	var refused *fault.Error
	var document *transaction.Refused
	if err != nil && !errors.As(err, &refused) && !errors.As(err, &document) {
		a.Fatal(err)
	}
}

func (a *activity) buy(who string) error {
	id := a.campaigns[a.random.IntN(len(a.campaigns))]
	quantity := 1 + a.random.Int64N(3)
	coupons, err := a.desk.Buy(a.Context(), purchase.Buy{
		Store: a.Store, CustomerID: who, CampaignID: id, Quantity: quantity, Locale: "en",
	})
	for _, c := range coupons {
		a.bought = append(a.bought, purchase.Mark{CustomerID: who, CampaignID: id, CouponID: c.ID, Code: c.Code})
		a.note(who)
	}
	return err
}

// use marks a coupon as used or unused, or cancels it.
func (a *activity) use() error {
	if len(a.bought) == 0 {
		return nil
	}
	m := a.bought[a.random.IntN(len(a.bought))]
	m.Used = a.random.IntN(3) > 0
	for _, sale := range a.sales { // its first receipt or another one; several coupons are used for the same
		if m.Used && sale.CustomerID == m.CustomerID && a.random.IntN(2) == 0 {
			m.TransactionID = sale.ID
			break
		}
	}
	return a.DB.Write(a.Context(), func(tx *db.Tx) error {
		if a.random.IntN(5) > 0 {
			return purchase.MarkUsed(tx, a.Store, []purchase.Mark{m})
		}
		p, err := purchase.Lock(tx, a.Store.Key, m.CustomerID, m.CouponID)
		if err == nil {
			_, err = p.Cancel(tx, a.Store)
		}
		return err
	})
}

// sell registers a receipt of some day, with the customer or with nobody.
func (a *activity) sell(who string) error {
	a.documents++
	known := a.random.IntN(3) > 0
	draft := transaction.Transaction{
		DocumentNumber: fmt.Sprint("R-", a.documents), Type: transaction.Sell,
		PurchasedAt: a.DB.Now().Add(-time.Duration(a.random.IntN(100)) * time.Hour),
		POSID:       a.places[a.random.IntN(len(a.places))],
		Items: []transaction.Item{
			{SKU: transaction.SKU{Code: "TEA"}, Quantity: 1_000,
				GrossValue: decimal.Hundredths(1 + a.random.Int64N(9999)).Money()},
			{SKU: transaction.SKU{Code: "MUG"}, Quantity: 1_000,
				GrossValue: decimal.Hundredths(1 + a.random.Int64N(9999)).Money()},
		},
	}
	return a.DB.Write(a.Context(), func(tx *db.Tx) error {
		if known {
			c, err := customer.Find(tx, a.Store.Key, who)
			if err != nil {
				return err
			}
			draft.CustomerData.Email = c.Email
		}
		made, err := transaction.Register(tx, a.Store, draft, transaction.Hooks{})
		if err != nil {
			return err
		}
		tx.AfterCommit(func() {
			a.sales = append(a.sales, *made)
			if made.CustomerID != "" {
				a.note(made.CustomerID)
			}
		})
		return nil
	})
}

// assign makes a customer the owner of a receipt that has none.
func (a *activity) assign(who string) error {
	i := slices.IndexFunc(a.sales, func(t transaction.Transaction) bool { return t.CustomerID == "" })
	if i < 0 {
		return nil
	}
	return a.DB.Write(a.Context(), func(tx *db.Tx) error {
		c, _, err := customer.Lock(tx, a.Store, who)
		if err != nil {
			return err
		}
		made, err := transaction.Assign(tx, a.Store, a.sales[i].DocumentNumber, c, transaction.Hooks{})
		if err == nil {
			tx.AfterCommit(func() {
				a.sales[i] = *made
				a.note(who)
			})
		}
		return err
	})
}

// giveBack returns one of the goods of a sale, or both.
func (a *activity) giveBack() error {
	if len(a.sales) == 0 {
		return nil
	}
	a.documents++
	sale := a.sales[a.random.IntN(len(a.sales))]
	back := transaction.Transaction{
		DocumentNumber: fmt.Sprint("R-", a.documents), Type: transaction.Return, RevisedDocument: sale.DocumentNumber,
		CustomerData: sale.CustomerData, Items: sale.Items[:1+a.random.IntN(2)],
	}
	feature.Connect(a.DB, feature.On(purchase.Reduced))
	return a.DB.Write(a.Context(), func(tx *db.Tx) error {
		made, err := transaction.Register(tx, a.Store, back, transaction.Hooks{})
		if err == nil && made.CustomerID != "" {
			tx.AfterCommit(func() { a.note(made.CustomerID) })
		}
		return err
	})
}

// leave deletes a customer, and registers another one.
func (a *activity) leave(who string) error {
	err := a.DB.Write(a.Context(), func(tx *db.Tx) error {
		c, _, err := customer.Lock(tx, a.Store, who)
		if err == nil {
			err = customer.Delete(tx, a.Store, c)
		}
		return err
	})
	if err == nil {
		a.arrive()
	}
	return err
}

// compareActive compares the active members of some periods with the days that were remembered.
func (a *activity) compareActive() {
	a.Helper()
	today := calendar.DayOf(a.DB.Now(), a.Store.Zone)
	var periods []period
	for range 20 {
		from := today - calendar.Day(a.random.IntN(150))
		periods = append(periods, period{from, from + calendar.Day(a.random.IntN(60))})
	}
	a.Read(func(tx *db.Tx) error {
		counted, err := activeIn(rollup.ActiveIn)(tx, a.Store.Key, periods)
		for i, p := range periods {
			var want int64
			for _, days := range a.active {
				for day := range days {
					if p.from <= day && day <= p.to {
						want++
						break
					}
				}
			}
			if counted[i] != want {
				a.Errorf("%d members were active from %v to %v, want %d", counted[i], p.from, p.to, want)
			}
		}
		return err
	})
}

// move changes the time zone of the store, and lets the job compute the sums again.
func (a *activity) move(zone string) {
	a.Helper()
	a.Configure(func(settings *store.Settings) { settings.Timezone = zone })
	a.Read(func(tx *db.Tx) (err error) {
		a.Store, _, err = store.ByCode(tx, a.Store.Code)
		return err
	})
	for range 2 { // the second run settles the sums
		if _, err := Recompute(a.Context(), a.DB, a.Store); err != nil {
			a.Fatal(err)
		}
	}
}

// After any purchases, uses, cancellations, receipts, returns and deleted customers, the sums equal the rows, also in
// another time zone, and active members are counted once in any period.
func TestSumsFollowPurchasesAndReceipts(t *testing.T) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		var ahead atomic.Int64 // minutes
		begin := time.Date(2031, 3, 17, 12, 0, 0, 0, time.UTC)
		clock := func() time.Time { return begin.Add(time.Duration(ahead.Load()) * time.Minute) }
		testActivity(t, dbtest.Open(t, dbtest.Config(t, engine), clock), &ahead)
	})
}

func testActivity(t *testing.T, d *db.DB, ahead *atomic.Int64) {
	a := newActivity(t, d)
	for _, zone := range []string{"", "Pacific/Kiritimati", "America/New_York"} {
		if zone != "" {
			a.move(zone)
			verify(t, d, a.Store)
		}
		for step := range 120 {
			ahead.Add(int64(a.random.IntN(20 * 60)))
			a.step()
			if step%40 == 39 {
				verify(t, d, a.Store)
			}
		}
		if zone == "" { // active days keep the bounds that they had
			a.compareActive()
		}
	}
	var sums map[rollup.RewardKey]rollup.RewardSums
	a.Read(func(tx *db.Tx) (err error) {
		sums, err = rollup.RewardsBy(tx, a.Store.Key, rollup.ByPOS, 0, lastDay)
		return err
	})
	var total rollup.RewardSums
	for _, of := range sums {
		total.Add(of, 1)
	}
	verifyReceipts(t, d)
	if total.Receipts < 5 || total.Receipts >= total.Used || total.Sales <= 0 {
		t.Errorf("coupons were used for receipts: %+v", total)
	}
	if len(a.bought) < 20 || len(a.sales) < 20 {
		t.Errorf("only %d coupons and %d sales", len(a.bought), len(a.sales))
	}
}

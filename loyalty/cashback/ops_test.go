package cashback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var background = context.Background()

var catalogue = &campaign.Catalogue{Types: campaign.RewardTypes}

// shop is a store with two levels; its customers are in the first one.
type shop struct {
	campaigntest.Shop
	clock *dbtest.Clock
}

func eachShop(t *testing.T, run func(t *testing.T, s *shop)) {
	for _, engine := range dbtest.EnginesOf(t) {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			c := dbtest.NewClock(time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
			d := dbtest.Open(t, dbtest.Config(t, engine), c.Now)
			run(t, &shop{campaigntest.Open(t, d, nil, shoptest.Level("Bronze", 0), shoptest.Level("Silver", 1000)), c})
		})
	}
}

// grant is points for some days; 0 means the store's setting.
type grant struct {
	value points.Amount
	days  int
}

func (s *shop) customer(grants ...grant) string {
	s.Helper()
	id := s.Customer()
	for _, g := range grants {
		s.Give(id, points.Grant{Value: g.value, ValidDays: g.days})
	}
	return id
}

// campaign adds an active cashback campaign of the first level.
func (s *shop) campaign(value decimal.Hundredths, edit func(*campaign.Draft)) string {
	s.Helper()
	return s.Campaign("Money", func(draft *campaign.Draft) {
		draft.Reward, draft.SingleCoupon = campaign.Cashback, true
		draft.Definition.PointValue, draft.Definition.CashbackProvider = value.Rate(), "payprovider"
		if edit != nil {
			edit(draft)
		}
	})
}

func (s *shop) request(customerID string, amount points.Amount) Request {
	return Request{Store: s.Store, CustomerID: customerID, Points: amount, Locale: "en"}
}

func (s *shop) redeem(in Request) (made *Cashback, err error) {
	err = s.DB.Write(background, func(tx *db.Tx) (err error) {
		made, err = Redeem(tx, in)
		return err
	})
	return made, err
}

func (s *shop) simulate(in Request) (made *Cashback, err error) {
	err = s.DB.Read(background, func(tx *db.Tx) (err error) {
		made, err = Simulate(tx, in)
		return err
	})
	return made, err
}

func (s *shop) receive(c *Cashback, status, code string) (failed bool, err error) {
	err = s.DB.Write(background, func(tx *db.Tx) (err error) {
		failed, err = Receive(tx, s.Store, Callback{
			Provider: "payprovider", CustomerID: c.CustomerID, CouponID: c.CouponID, Status: status, Code: code, Message: "m",
		})
		return err
	})
	return failed, err
}

// events lists the events about a customer and their account from an id on, with the id that follows
// the last one.
func (s *shop) events(from int64, aggregates ...string) (recorded []string, next int64) {
	s.Helper()
	for {
		events, _, err := event.List(background, s.DB, from, 100, false)
		if err != nil {
			s.Fatal(err)
		}
		for _, e := range events {
			for _, id := range aggregates {
				if e.AggregateID == id {
					recorded = append(recorded, e.Type[strings.LastIndexByte(e.Type, '.')+1:]+" "+gist(s.TB, e.Payload))
				}
			}
			from = e.ID + 1
		}
		if len(events) < 100 {
			return recorded, from
		}
	}
}

// gist holds the members of payloads that the tests compare.
func gist(t testing.TB, payload []byte) string {
	t.Helper()
	var p struct {
		Reward, Provider, Code, Message string
		Status                          any
		CostInPoints                    any
		Coupon                          *struct{ Code string }
		PointsTransfer                  struct {
			Value, Comment any
			Canceled       bool
			Issuer         string
		}
	}
	if err := json.Unmarshal(payload, &p); err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, part := range []any{p.Reward, p.CostInPoints, p.Status, p.Code, p.Message, p.Provider, p.PointsTransfer.Value,
		p.PointsTransfer.Comment, p.PointsTransfer.Issuer} {
		if part != nil && part != "" {
			parts = append(parts, fmt.Sprint(part))
		}
	}
	if p.Coupon != nil {
		parts = append(parts, fmt.Sprintf("code %q", p.Coupon.Code))
	}
	return strings.Join(parts, " ")
}

func TestRedeemSpendsAndTells(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		small, big := s.campaign(5, nil), s.campaign(300, nil)
		who := s.customer(grant{5000, 0})
		_, next := s.events(1)
		made, err := s.redeem(s.request(who, 1050))
		if err != nil || made.CampaignID != big || made.RewardAmount != 31_5000 || made.PointValue != 3_000_000 {
			t.Fatalf("%+v, %v", made, err)
		}
		a := s.Account(who)
		if a.Points != 3950 || a.Used != 1050 || s.Bought(who, big) != 1 {
			t.Errorf("account %+v", a)
		}
		recorded, next := s.events(next, who, a.ID)
		want := []string{
			`CampaignWasBoughtByCustomer cashback 10.5 active code ""`,
			`PointsWereSpent 10.5 Money, cashback system`,
		}
		if fmt.Sprint(recorded) != fmt.Sprint(want) {
			t.Errorf("recorded %q", recorded)
		}
		in := s.request(who, 50)
		in.CampaignID = small
		if made, err = s.redeem(in); err != nil || made.CampaignID != small || made.RewardAmount != 300 {
			t.Errorf("half a point: %+v, %v", made, err)
		}
		recorded, _ = s.events(next, who, a.ID)
		want = []string{
			`CampaignWasBoughtByCustomer cashback 0.5 active code ""`, `PointsWereSpent 0.5 Money, cashback system`,
		}
		if fmt.Sprint(recorded) != fmt.Sprint(want) {
			t.Errorf("recorded %q", recorded)
		}
		s.Read(func(tx *db.Tx) error {
			_, k, err := catalogue.Find(tx, s.Store.Key, big)
			if k.Sold != 1 || k.Customers != 1 || k.NextPosition != 2 {
				t.Errorf("counters %+v", k)
			}
			return err
		})
		p := s.purchaseOf(made)
		if p.Reward != campaign.Cashback.Name || p.Code != "" || p.Cost != 50 || p.Price != 0 ||
			p.Status != purchase.Active || p.PointsBefore != 3950 ||
			p.Position != 1 || !p.ActiveTo.IsZero() || p.FirstName != "Ida" {
			t.Errorf("purchase %+v", p)
		}
	})
}

func (s *shop) purchaseOf(c *Cashback) *purchase.Purchase {
	s.Helper()
	var p *purchase.Purchase
	s.Read(func(tx *db.Tx) (err error) {
		p, err = purchase.Lock(tx, s.Store.Key, c.CustomerID, c.CouponID)
		return err
	})
	return p
}

// Simulate and Redeem check the same in the same order: campaign, daily limit, customer, balance.
func TestWhoMayRedeemWhat(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		now := s.clock.Now()
		window := func(from, to time.Duration) func(*campaign.Draft) {
			return func(d *campaign.Draft) { d.Activity = campaign.Window{From: now.Add(from), To: now.Add(to)} }
		}
		const tick = time.Microsecond
		for _, c := range []struct {
			name   string
			edit   func(*campaign.Draft)
			block  bool
			most   points.Amount // a day; 0 for any
			points points.Amount
			want   error
		}{
			{"plain", nil, false, 0, 1000, nil},
			{"too many points", nil, false, 0, 1001, points.ErrNotEnough},
			{"more points than anybody has", nil, false, 0, 1 << 62, points.ErrNotEnough},
			{"switched off", func(d *campaign.Draft) { d.Active = false }, false, 0, 10, ErrNotAvailable},
			{"first moment", window(0, time.Hour), false, 0, 10, nil},
			{"last moment", window(-time.Hour, 0), false, 0, 10, nil},
			{"not yet", window(tick, time.Hour), false, 0, 10, ErrNotAvailable},
			{"no longer", window(-time.Hour, -tick), false, 0, 10, ErrNotAvailable},
			{"for another level", func(d *campaign.Draft) { d.Definition.Levels = s.Levels[1:] }, false, 0, 10, ErrNotAvailable},
			{"a coupon", func(d *campaign.Draft) { d.Reward = campaign.DiscountCode }, false, 0, 10, ErrNotAvailable},
			{"visibility is no matter", func(d *campaign.Draft) {
				d.Visibility = campaign.Window{From: now.Add(1), To: now.Add(2)}
			}, false, 0, 10, nil},
			{"blocked", nil, true, 0, 10, purchase.ErrNotAllowed},
			{"blocked, and nothing available", func(d *campaign.Draft) { d.Active = false }, true, 0, 10, ErrNotAvailable},
			{"blocked, too many points", nil, true, 0, 5000, purchase.ErrNotAllowed},
			{"as much as a day allows", nil, false, 300, 300, nil},
			{"more than a day allows", nil, false, 300, 301, campaign.ErrLimitPerCustomer},
			{"more than a day allows, blocked", nil, true, 300, 301, campaign.ErrLimitPerCustomer},
			{"no points", nil, false, 0, 0, ErrWorthless},
			{"too few for the smallest unit", nil, false, 0, 4, ErrWorthless},
			{"rounded half up", nil, false, 0, 5, nil},
			{"too few of a campaign that is worth nothing", func(d *campaign.Draft) { d.Definition.PointValue = 0 }, false, 0,
				1000, ErrWorthless},
			{"blocked, no points", nil, true, 0, 0, purchase.ErrNotAllowed},
			{"worth more than there are numbers", func(d *campaign.Draft) { d.Definition.PointValue = 1 << 62 }, false, 0,
				100_000, fault.ErrInvalid},
		} {
			held := points.Amount(1000)
			if c.want == fault.ErrInvalid {
				held = c.points
			}
			id, who := s.campaign(10, c.edit), s.customer(grant{held, 0})
			if c.block {
				s.Write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.Store, who) })
			}
			if s.Store.Settings.MaxPointsRedeemed = nil; c.most > 0 {
				s.Store.Settings.MaxPointsRedeemed = &c.most
			}
			_, err := s.simulate(s.request(who, c.points))
			if a := s.Account(who); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || a.Points != held {
				t.Errorf("%s, simulated: %v, %v points left", c.name, err, a.Points)
			}
			if _, err = s.redeem(s.request(who, c.points)); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%s: %v, want %v", c.name, err, c.want)
			}
			if a := s.Account(who); err != nil && a.Points != held {
				t.Errorf("%s: a refusal left %v points", c.name, a.Points)
			}
			s.Write(func(tx *db.Tx) error { return catalogue.SetActive(tx, s.Store, id, false) })
		}
	})
}

func TestCampaignOfTheCustomersChoice(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		first, second := s.campaign(10, nil), s.campaign(20, nil)
		third := s.campaign(20, func(d *campaign.Draft) { d.Definition.Levels = s.Levels[1:] })
		off := s.campaign(90, func(d *campaign.Draft) { d.Active = false })
		who := s.customer(grant{1000, 0})
		for id, want := range map[string]string{
			"": second, first: first, second: second, third: "", off: "", db.NewID(): "",
		} {
			in := s.request(who, 10)
			in.CampaignID = id
			for name, act := range map[string]func(Request) (*Cashback, error){"simulate": s.simulate, "redeem": s.redeem} {
				made, err := act(in)
				if want == "" && !errors.Is(err, ErrNotAvailable) || want != "" && (err != nil || made.CampaignID != want) {
					t.Errorf("%s %q: %+v, %v", name, id, made, err)
				}
			}
		}
		if _, err := s.redeem(s.request(db.NewID(), 10)); !errors.Is(err, fault.ErrNotFound) {
			t.Errorf("nobody redeems: %v", err)
		}
	})
}

// The limit applies per calendar day in the store's time zone. Refunded points do not count.
func TestLimitOfTheDay(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		s.Store.Settings.MaxPointsRedeemed = new(points.Amount(500))
		who, other := s.customer(grant{9000, 0}), s.customer(grant{9000, 0})
		try := func(name, id string, amount points.Amount, want error) *Cashback {
			made, err := s.redeem(s.request(id, amount))
			if !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
			return made
		}
		made := try("within", who, 400, nil)
		try("together too many", who, 101, campaign.ErrLimitPerCustomer)
		try("somebody else", other, 500, nil)
		try("together the limit", who, 100, nil)
		try("one more", who, 1, campaign.ErrLimitPerCustomer)
		if _, err := s.receive(made, "FAILED", ""); err != nil {
			t.Fatal(err)
		}
		try("what failed is free again", who, 400, nil)
		s.clock.Advance(10*time.Hour - time.Second) // 23:59:59 in Warsaw
		try("the last second of the day", who, 1, campaign.ErrLimitPerCustomer)
		s.clock.Advance(time.Second)
		try("the next day", who, 500, nil)
	})
}

// Statuses of a provider, in sequence, with their effects.
func TestCallbacks(t *testing.T) {
	const (
		changed   = "CampaignBoughtCashbackStatusWasChanged "
		cancelled = `CampaignStatusWasChanged cancelled code ""`
		returned  = "PointsWereReturned 4 Money, cashback system"
	)
	type word struct {
		status, code string
		failed       bool
		recorded     []string
	}
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		for name, words := range map[string][]word{
			"paid at once": {
				{"SUCCESS", "", false, []string{changed + "1 m payprovider"}}, {"SUCCESS", "", false, nil},
			},
			"paid in the end": {
				{"", "ACCEPTED", false, []string{changed + "3 ACCEPTED m payprovider"}}, {"", "ACCEPTED", false, nil},
				{"", "PENDING", false, []string{changed + "3 PENDING m payprovider"}},
				{"SUCCESS", "OK", false, []string{changed + "1 OK m payprovider"}}, {"", "PENDING", false, nil},
				{"SUCCESS", "OK", false, nil},
			},
			"failed": {
				{"", "ACCEPTED", false, []string{changed + "3 ACCEPTED m payprovider"}},
				{"FAILED", "17", true, []string{changed + "2 17 m payprovider", cancelled, returned}},
				{"FAILED", "17", true, nil}, {"REJECTED", "18", true, nil}, {"SUCCESS", "", true, nil}, {"", "ACCEPTED", true, nil},
			},
			"paid back later": {
				{"SUCCESS", "", false, []string{changed + "1 m payprovider"}},
				{"", "REJECTED", true, []string{changed + "2 REJECTED m payprovider", cancelled, returned}},
				{"SUCCESS", "", true, nil},
			},
		} {
			who := s.customer(grant{1000, 0})
			made, err := s.redeem(s.request(who, 400))
			if err != nil {
				t.Fatal(err)
			}
			account := s.Account(who).ID
			_, next := s.events(1)
			failed := false
			for i, w := range words {
				got, err := s.receive(made, w.status, w.code)
				var recorded []string
				recorded, next = s.events(next, who, account)
				if err != nil || got != w.failed || fmt.Sprint(recorded) != fmt.Sprint(w.recorded) {
					t.Errorf("%s, word %d: failed %v, recorded %q, %v, want %+v", name, i, got, recorded, err, w)
				}
				failed = failed || w.failed
			}
			wantPoints, wantStatus := points.Amount(600), purchase.Active
			if failed {
				wantPoints, wantStatus = 1000, purchase.Cancelled
			}
			if a, p := s.Account(who), s.purchaseOf(made); a.Points != wantPoints || p.Status != wantStatus {
				t.Errorf("%s: %v points, purchase %s", name, a.Points, p.Status)
			}
		}
	})
}

func TestCallbacksAboutNothing(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		coupons := s.campaign(0, func(d *campaign.Draft) { d.Reward, d.Codes = campaign.ValueCode, []string{"A"} })
		who, other := s.customer(grant{1000, 0}), s.customer(grant{1000, 0})
		made, err := s.redeem(s.request(who, 400))
		if err != nil {
			t.Fatal(err)
		}
		bought, err := purchase.NewDesk(s.DB, campaign.RewardTypes).Buy(background, purchase.Buy{
			Store: s.Store, CustomerID: who, CampaignID: coupons, Quantity: 1, Locale: "en",
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]Cashback{
			"unknown coupon":   {CustomerID: who, CouponID: db.NewID()},
			"another customer": {CustomerID: other, CouponID: made.CouponID},
			"nobody":           {CustomerID: db.NewID(), CouponID: made.CouponID},
			"no cashback":      {CustomerID: who, CouponID: bought[0].ID},
		} {
			if _, err := s.receive(&c, "FAILED", ""); !errors.Is(err, fault.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if a := s.Account(who); a.Points != 600 {
			t.Errorf("%v points", a.Points)
		}
	})
}

// Many concurrent callbacks about one payment have one effect.
func TestCallbacksAtOnceActOnce(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		who := s.customer(grant{1000, 0})
		made, err := s.redeem(s.request(who, 400))
		if err != nil {
			t.Fatal(err)
		}
		_, next := s.events(1)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if failed, err := s.receive(made, "FAILED", "17"); err != nil || !failed {
					t.Errorf("failed %v, %v", failed, err)
				}
			})
		}
		all.Wait()
		a := s.Account(who)
		if recorded, _ := s.events(next, who, a.ID); len(recorded) != 3 || a.Points != 1000 || a.Used != 0 {
			t.Errorf("recorded %q, account %+v", recorded, a)
		}
	})
}

// Concurrent exchanges neither overdraw the balance nor exceed the daily limit.
func TestExchangesAtOnce(t *testing.T) {
	dbtest.Both(t)
	eachShop(t, func(t *testing.T, s *shop) {
		id := s.campaign(10, nil)
		limited := *s.Store
		limited.Settings.MaxPointsRedeemed = new(points.Amount(500))
		for most, st := range map[int]*store.Store{14: s.Store, 7: &limited} {
			who := s.customer(grant{1000, 0})
			var all sync.WaitGroup
			paid := make(chan bool, 60)
			for range 60 {
				all.Go(func() {
					in := s.request(who, 70)
					in.Store = st
					if _, err := s.redeem(in); err == nil {
						paid <- true
					} else if !errors.Is(err, points.ErrNotEnough) && !errors.Is(err, campaign.ErrLimitPerCustomer) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if a := s.Account(who); len(paid) != most || a.Points != points.Amount(1000-70*most) ||
				s.Bought(who, id) != int64(most) {
				t.Errorf("%d exchanges, want %d, account %+v", len(paid), most, a)
			}
		}
	})
}

// Refunds are exact: after any exchanges that all fail, the account equals that of a twin who
// exchanged nothing.
func TestRefundsAreExact(t *testing.T) {
	eachShop(t, func(t *testing.T, s *shop) {
		s.campaign(10, nil)
		for seed := range uint64(15) {
			rng := rand.New(rand.NewPCG(1, seed))
			var grants []grant
			var whole points.Amount
			for range 1 + rng.IntN(4) {
				g := grant{points.Amount(1 + rng.IntN(3000)), rng.IntN(6)}
				grants, whole = append(grants, g), whole+g.value
			}
			who, twin := s.customer(grants...), s.customer(grants...)
			var made []*Cashback
			for range 1 + rng.IntN(4) {
				amount := min(points.Amount(rng.IntN(2000)), s.Account(who).Points)
				if amount < 5 { // worth less than half a cent
					continue
				}
				c, err := s.redeem(s.request(who, amount))
				if err != nil {
					t.Fatal(err)
				}
				made = append(made, c)
				s.clock.Advance(time.Duration(rng.IntN(40)) * time.Hour)
			}
			rng.Shuffle(len(made), func(i, j int) { made[i], made[j] = made[j], made[i] })
			for _, c := range made {
				s.clock.Advance(time.Duration(rng.IntN(40)) * time.Hour)
				if _, err := s.receive(c, "FAILED", ""); err != nil {
					t.Fatal(err)
				}
			}
			for range 3 {
				a, b := accountText(s, who), accountText(s, twin)
				if a != b {
					t.Fatalf("seed %d: %s, the twin has %s", seed, a, b)
				}
				s.clock.Advance(48 * time.Hour)
			}
			if a := s.Account(who); a.Points+a.Used+a.Expired != whole {
				t.Errorf("seed %d: %+v of %v", seed, a, whole)
			}
		}
	})
}

// accountText is the account as text.
func accountText(s *shop, id string) string {
	s.Helper()
	a := s.Account(id)
	var e points.Expiring
	s.Read(func(tx *db.Tx) (err error) {
		e, err = points.WillExpire(tx, s.Store, id)
		return err
	})
	maps.DeleteFunc(e.ByDay, func(_ string, left points.Amount) bool { return left == 0 })
	return fmt.Sprint(a.Points, a.P2P, a.Earned, a.Used, a.Expired, a.Locked, a.Blocked, e.NextMonth, e.ByDay)
}

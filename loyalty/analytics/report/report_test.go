package report

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/campaigntest"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level/shoptest"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// shop is a store with more customers than a step reads.
type shop struct {
	campaigntest.Shop
	hours     *atomic.Int64 // that the clock is ahead
	documents int
}

func onShop(t *testing.T, run func(t *testing.T, s *shop)) {
	dbtest.EachEngine(t, func(t *testing.T, engine string) {
		s := &shop{hours: &atomic.Int64{}}
		begin := time.Date(2031, 1, 10, 12, 0, 0, 0, time.UTC)
		clock := func() time.Time { return begin.Add(time.Duration(s.hours.Load()) * time.Hour) }
		s.Shop = campaigntest.Open(t, dbtest.Open(t, dbtest.Config(t, engine), clock), nil, shoptest.Level("Bronze", 0))
		run(t, s)
	})
}

func (s *shop) sell(who string, whole int64) (id string) {
	s.Helper()
	s.documents++
	s.Write(func(tx *db.Tx) error {
		c, err := customer.Find(tx, s.Store.Key, who)
		if err != nil {
			return err
		}
		made, err := transaction.Register(tx, s.Store, transaction.Transaction{
			DocumentNumber: fmt.Sprint("R-", s.documents), Type: transaction.Sell, PurchasedAt: tx.Now(),
			CustomerData: transaction.CustomerData{Email: c.Email},
			Items: []transaction.Item{{SKU: transaction.SKU{Code: "TEA"}, Quantity: 1_000,
				GrossValue: decimal.Whole(whole).Money()}},
		}, transaction.Hooks{})
		if err == nil {
			id = made.ID
		}
		return err
	})
	return id
}

// returnLast returns the goods of the last document.
func (s *shop) returnLast(whole int64) {
	s.Helper()
	sale := fmt.Sprint("R-", s.documents)
	s.documents++
	s.Write(func(tx *db.Tx) error {
		_, err := transaction.Register(tx, s.Store, transaction.Transaction{
			DocumentNumber: fmt.Sprint("R-", s.documents), Type: transaction.Return, PurchasedAt: tx.Now(),
			RevisedDocument: sale, Items: []transaction.Item{{SKU: transaction.SKU{Code: "TEA"}, Quantity: 1_000,
				GrossValue: decimal.Whole(whole).Money()}},
		}, transaction.Hooks{})
		return err
	})
}

// ask stores a report about the first quarter of 2031, as the endpoint does.
func (s *shop) ask(name string) *Report {
	s.Helper()
	r := &Report{StoreKey: s.Store.Key, Kind: name, State: Waiting, From: calendar.Date(2031, 1, 1),
		To: calendar.Date(2031, 3, 31)}
	s.Write(func(tx *db.Tx) (err error) {
		r.ID, r.CreatedAt = tx.NewID(), tx.Now()
		if r.Sums, err = json.Marshal(findKind(name).begin()); err != nil {
			return err
		}
		return reports.Insert(tx, r)
	})
	return r
}

// result returns what a report has found.
func (s *shop) result(id string) (r *Report, found sums) {
	s.Helper()
	s.Read(func(tx *db.Tx) (err error) {
		if r, err = findReport(tx, s.Store.Key, id); err == nil {
			found, err = findKind(r.Kind).found(r)
		}
		return err
	})
	return r, found
}

func money(whole int64) decimal.Money { return decimal.Whole(whole).Money() }

func TestCustomers(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		all := s.Customers(customersAtOnce+20, 0)
		often, single, none := all[0], all[customersAtOnce+10], all[7]
		s.sell(often, 10)
		s.hours.Add(40 * 24) // 19 February
		newcomer := s.Customer()
		s.sell(often, 20)
		s.sell(single, 50)
		s.sell(none, 70)
		s.returnLast(70)
		s.sell(newcomer, 5)
		s.hours.Add(30 * 24) // 21 March
		s.sell(newcomer, 6)
		s.hours.Add(30 * 24) // 20 April, after the period
		s.sell(single, 1000)
		if n, err := Compute(t.Context(), s.DB, s.Store); n != 0 || err != nil {
			t.Fatalf("%d rows of no report, %v", n, err)
		}
		id := s.ask("customers").ID
		members := int64(len(all) + 1)
		if n, err := Compute(t.Context(), s.DB, s.Store); n != members || err != nil {
			t.Errorf("%d rows, %v; want %d", n, err, members)
		}
		r, found := s.result(id)
		if r.State != Finished || r.Read != members || r.FinishedAt.IsZero() {
			t.Errorf("%s after %d rows", r.State, r.Read)
		}
		got := found.(*customerSums)
		for i := range got.Top {
			got.Top[i].Last = time.Time{}
		}
		want := &customerSums{
			Members: members, Receipts: 5, Sales: money(91),
			Often: [oftenLimit + 1]int64{members - 3, 1, 2},
			Top: []topCustomer{
				{ID: single, Receipts: 1, Sales: money(50)}, {ID: often, Receipts: 2, Sales: money(30)},
				{ID: newcomer, Receipts: 2, Sales: money(11)},
			},
			Cohorts: map[string]*cohort{
				"2031-01": {Joined: members - 1, Buyers: []int64{1, 2, 0}, Sales: []decimal.Money{money(10), money(70), 0}},
				"2031-02": {Joined: 1, Buyers: []int64{1, 1}, Sales: []decimal.Money{money(5), money(6)}},
			},
			Segments: map[string]*segmentSums{},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// A report whose run has died goes on where it was, and one that was cancelled does not.
func TestReportGoesOn(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		all := s.Customers(customersAtOnce+1, 0)
		s.sell(all[0], 10)
		s.sell(all[customersAtOnce], 20)
		r := s.ask("customers")
		first := newCustomerSums()
		s.Read(func(tx *db.Tx) (err error) {
			r.Read, r.Position, _, err = first.read(tx, s.Store, r)
			return err
		})
		s.Write(func(tx *db.Tx) (err error) { // the state of a run that died after its first step
			r.State, r.owner, r.leaseUntil = Running, "dead", tx.ServerNow().Add(leaseTerm)
			if r.Sums, err = json.Marshal(first); err != nil {
				return err
			}
			return save(tx, r)
		})
		compute := func(want int64) {
			t.Helper()
			if n, err := Compute(t.Context(), s.DB, s.Store); n != want || err != nil {
				t.Errorf("%d rows, %v; want %d", n, err, want)
			}
		}
		compute(0)
		s.hours.Add(1)
		compute(1)
		r, found := s.result(r.ID)
		if got := found.(*customerSums); r.State != Finished || got.Receipts != 2 || got.Sales != money(30) {
			t.Errorf("%s, %+v", r.State, got)
		}
		cancelled := s.ask("customers")
		s.Write(func(tx *db.Tx) error {
			cancelled.State, cancelled.FinishedAt = Cancelled, tx.Now()
			return save(tx, cancelled)
		})
		compute(0)
	})
}

func TestRewards(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		desk := purchase.NewDesk(s.DB, campaign.RewardTypes)
		tea := s.Campaign("Tea", func(d *campaign.Draft) {
			d.Cost, d.SingleCoupon, d.Codes, d.DaysValid = decimal.Whole(3), true, []string{"TEA"}, 100
		})
		who := s.Customers(1, 10_000)[0]
		buy := func(n int64) (bought []purchase.Mark) {
			t.Helper()
			coupons, err := desk.Buy(t.Context(), purchase.Buy{
				Store: s.Store, CustomerID: who, CampaignID: tea, Quantity: n, Locale: "en",
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range coupons {
				bought = append(bought, purchase.Mark{
					CustomerID: who, CampaignID: tea, CouponID: c.ID, Code: c.Code, Used: true,
				})
			}
			return bought
		}
		use := func(receipt string, marks ...purchase.Mark) {
			t.Helper()
			for i := range marks {
				marks[i].TransactionID = receipt
			}
			s.Write(func(tx *db.Tx) error { return purchase.MarkUsed(tx, s.Store, marks) })
		}
		coupons := buy(couponsAtOnce - 1)[:6]
		last := buy(3) // the last one is read by another step
		use(s.sell(who, 40), coupons[0], coupons[1], last[2])
		use(s.sell(who, 7), coupons[2])
		use("", coupons[3])
		s.Write(func(tx *db.Tx) error {
			p, err := purchase.Lock(tx, s.Store.Key, who, coupons[4].CouponID)
			if err == nil {
				_, err = p.Cancel(tx, s.Store)
			}
			return err
		})
		s.hours.Add(80 * 24) // 31 March
		id := s.ask("rewards").ID
		if n, err := Compute(t.Context(), s.DB, s.Store); n != couponsAtOnce+2 || err != nil {
			t.Errorf("%d coupons, %v", n, err)
		}
		_, found := s.result(id)
		const made = couponsAtOnce + 1 // without the cancelled one
		want := &rewardSums{map[string]*rewardOf{tea: {
			Bought: made, Points: decimal.Whole(3 * made), Used: 5, Receipts: 2, Sales: money(47), Unused: made - 5,
		}}}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Error(diff)
		}
		s.expectOfDeleted(who, tea, made-5)
		s.hours.Add(60 * 24) // the coupons expire
		expired := s.ask("rewards").ID
		if _, err := Compute(t.Context(), s.DB, s.Store); err != nil {
			t.Fatal(err)
		}
		if _, found := s.result(expired); found.(*rewardSums).Campaigns[tea].Unused != 0 {
			t.Errorf("%+v", found.(*rewardSums).Campaigns[tea])
		}
	})
}

// expectOfDeleted deletes a customer, whose unused coupons of a campaign then count apart.
func (s *shop) expectOfDeleted(who, campaignID string, want int64) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		c, _, err := customer.Lock(tx, s.Store, who)
		if err != nil {
			return err
		}
		return customer.Delete(tx, s.Store, c)
	})
	id := s.ask("rewards").ID
	if _, err := Compute(s.Context(), s.DB, s.Store); err != nil {
		s.Fatal(err)
	}
	_, found := s.result(id)
	if of := found.(*rewardSums).Campaigns[campaignID]; of.Unused != 0 || of.UnusedOfDeleted != want {
		s.Errorf("%d are unused and %d of deleted customers, want 0 and %d", of.Unused, of.UnusedOfDeleted, want)
	}
}

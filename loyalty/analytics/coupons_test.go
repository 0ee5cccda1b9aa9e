package analytics

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"punchcard/core/feature"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/rollup"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// verifyReceipts runs the rules about the receipts that coupons count.
func verifyReceipts(t *testing.T, d *db.DB) {
	t.Helper()
	var rules []check.Rule
	for _, r := range purchase.Rules(campaign.RewardTypes) {
		if strings.HasPrefix(r.Name, "purchase.receipt_") {
			rules = append(rules, r)
		}
	}
	if len(rules) != 2 {
		t.Fatalf("%d rules", len(rules))
	}
	runRules(t, d, rules)
}

// While coupons are used for a receipt, not used after all, and parts of the receipt are returned, all at once, one
// coupon counts the receipt, with what is left of it.
func TestCouponsAndReturnsAtOnce(t *testing.T) {
	dbtest.Both(t)
	begin := time.Date(2031, 3, 17, 12, 0, 0, 0, time.UTC)
	dbtest.EachAt(t, func() time.Time { return begin }, func(t *testing.T, d *db.DB) {
		a := newActivity(t, d)
		who := a.customers[0]
		a.sales = nil
		for len(a.sales) == 0 || a.sales[len(a.sales)-1].CustomerID != who {
			if err := a.sell(who); err != nil {
				t.Fatal(err)
			}
		}
		sale := a.sales[len(a.sales)-1]
		coupons, err := a.desk.Buy(t.Context(), purchase.Buy{
			Store: a.Store, CustomerID: who, CampaignID: a.campaigns[0], Quantity: 6, Locale: "en",
		})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i, c := range coupons {
			all.Go(func() {
				m := purchase.Mark{CustomerID: who, CampaignID: a.campaigns[0], CouponID: c.ID, Code: c.Code}
				for n := range 1 + i%2 { // every second one is not used after all
					m.Used, m.TransactionID = n == 0, sale.ID
					err := d.Write(t.Context(), func(tx *db.Tx) error {
						return purchase.MarkUsed(tx, a.Store, []purchase.Mark{m})
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		for i := range 2 {
			all.Go(func() {
				back := transaction.Transaction{
					DocumentNumber: fmt.Sprint("B-", i), Type: transaction.Return, RevisedDocument: sale.DocumentNumber,
					CustomerData: sale.CustomerData,
					Items:        []transaction.Item{{SKU: sale.Items[0].SKU, Quantity: 1, GrossValue: decimal.Hundredths(1).Money()}},
				}
				feature.Connect(d, feature.On(purchase.Reduced))
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					_, err := transaction.Register(tx, a.Store, back, transaction.Hooks{})
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		verifyReceipts(t, d)
		a.Read(func(tx *db.Tx) error {
			left, err := transaction.LeftOf(tx, a.Store.Key, sale.ID)
			if err != nil {
				return err
			}
			sums, err := rollup.RewardsBy(tx, a.Store.Key, rollup.ByPOS, 0, lastDay)
			key := rollup.RewardKey{Dimension: rollup.ByPOS, CampaignID: a.campaigns[0], SubjectID: sale.POSID}
			want := rollup.RewardSums{Used: 3, Receipts: 1, Sales: int64(left[sale.ID])}
			if sums[key] != want {
				t.Errorf("%+v, want %+v", sums[key], want)
			}
			return err
		})
	})
}

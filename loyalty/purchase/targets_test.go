package purchase_test

import (
	"errors"
	"testing"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// Tests the checks before limits and points, and their order.
func TestAdmission(t *testing.T) {
	percentage := func(percent int64) func(*campaign.Draft) {
		return func(c *campaign.Draft) {
			c.Reward, c.SingleCoupon, c.Cost, c.Codes = campaign.PercentageDiscount, true, 0, nil
			c.Definition.Percentage = percent
		}
	}
	sale := func(hundredths decimal.Hundredths, quantity int64) func(*purchase.Buy) {
		value := hundredths.Money()
		return func(b *purchase.Buy) {
			b.TransactionID, b.TransactionValue, b.Quantity = db.NewID(), &value, quantity
		}
	}
	quantity := func(n int64) func(*purchase.Buy) { return func(b *purchase.Buy) { b.Quantity = n } }
	off := func(c *campaign.Draft) { c.Active = false }
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		for _, c := range []struct {
			name  string
			edit  func(*campaign.Draft)
			buy   func(*purchase.Buy)
			wants string // the code of the coupon
			err   error
		}{
			{"no quantity", nil, quantity(0), "", purchase.ErrInvalidQuantity},
			{"as many as may be, of five", nil, quantity(purchase.QuantityLimit), "", campaign.ErrNoCoupons},
			{"more than may be", nil, quantity(purchase.QuantityLimit + 1), "", purchase.ErrInvalidQuantity},
			{"more than there are numbers", nil, quantity(1 << 62), "", purchase.ErrInvalidQuantity},
			{"no quantity of what is switched off", off, quantity(0), "", fault.ErrNotFound},
			{"no quantity, and not enough points", func(c *campaign.Draft) { c.Cost = 1 << 50 }, quantity(-1), "",
				purchase.ErrInvalidQuantity},
			{"no sale", percentage(10), quantity(0), "", purchase.ErrTransactionRequired},
			{"a sale of somebody else", percentage(10), func(b *purchase.Buy) { b.TransactionID = db.NewID() }, "",
				purchase.ErrInvalidTransaction},
			{"10 % of 47", percentage(10), sale(4700, 1), "5", nil},
			{"10 % of 44.99", percentage(10), sale(4499, 1), "4", nil},
			{"10 % of 32, whatever the quantity", percentage(10), sale(3200, 0), "3", nil},
			{"99 % of 1.51, once", percentage(99), sale(151, 7), "1", nil},
			{"1 % of 49.99", percentage(1), sale(4999, 1), "", purchase.ErrNoValue},
			{"0 % of 47", percentage(0), sale(4700, 1), "", purchase.ErrNoValue},
			{"10 % of nothing", percentage(10), sale(0, 1), "", purchase.ErrNoValue},
		} {
			who, id := s.Customers(1, 100)[0], s.campaign(1, 5, c.edit)
			got, err := s.buy(who, id, func(b *purchase.Buy) {
				b.Administrator = true
				c.buy(b)
			})
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("%s: %v, want %v", c.name, err, c.err)
			}
			if c.err == nil && (len(got) != 1 || got[0].Code != c.wants) {
				t.Errorf("%s: %+v, want one of %s", c.name, got, c.wants)
			}
		}
	})
}

package purchase_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// restore restores the coupons of a sale, and describes each: code, status, U if it is used, and why it stays.
func (s *till) restore(sale *transaction.Transaction, coupons, bought []string) string {
	s.Helper()
	var all []string
	s.Write(func(tx *db.Tx) error {
		restored, err := s.desk.Restore(tx, s.Store, sale.ID, coupons, bought)
		all = nil
		if errors.Is(err, purchase.ErrNotReturned) {
			all = []string{"not returned"}
			return nil
		}
		for _, r := range restored {
			text := r.Code + " " + r.StatusAt(tx.Now())
			if r.Used {
				text += "U"
			}
			if r.Problem != nil {
				text += " " + r.Problem.Code
			}
			all = append(all, text)
		}
		return err
	})
	return strings.Join(all, ", ")
}

// What was used for a sale that came back in full is unused again, until it expires; what was bought with it is
// cancelled, unless it was used for something else. Vouchers that the return gave back stay used.
func TestRestore(t *testing.T) {
	onEachTill(t, func(t *testing.T, s *till) {
		ids := s.Customers(2, 100)
		ida, ole := ids[0], ids[1]
		email := s.email(ida)
		offer := func() string {
			return s.shop.campaign(10, 3, func(draft *campaign.Draft) { draft.DaysValid = 10 })
		}
		uses := func(who, campaignID string, coupon purchase.Coupon, sale *transaction.Transaction) {
			t.Helper()
			s.Write(func(tx *db.Tx) error {
				return purchase.MarkUsed(tx, s.Store, []purchase.Mark{{
					CustomerID: who, CampaignID: campaignID, CouponID: coupon.ID, Code: coupon.Code, Used: true,
					TransactionID: sale.ID,
				}})
			})
		}
		own, price, third, fourth := offer(), offer(), offer(), offer()
		first, sale := s.document("S-1", email, "", 80), s.document("S-2", email, "", 30)
		s.voucher(ida, first, sale)
		coupon, of := s.mustBuy(ida, own), s.mustBuy(ole, own)
		with, elsewhere, gone := s.mustBuy(ida, price), s.mustBuy(ida, third), s.mustBuy(ida, fourth)
		uses(ida, own, coupon, sale)
		uses(ole, own, of, sale)
		uses(ida, price, with, sale)
		uses(ida, third, elsewhere, first)
		others, bought := []string{of.ID}, []string{with.ID, elsewhere.ID, gone.ID}
		expect := func(got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		s.document("R-1", email, "S-2", 10)
		expect(s.restore(sale, others, bought), "not returned")
		s.document("R-2", email, "S-2", 20)
		s.clock.Set(s.clock.Now().AddDate(0, 0, 11))
		expect(s.restore(sale, others, bought), fmt.Sprintf("%s expired, %s expired, %s cancelled, %s activeU used_coupon, "+
			"%s expired expired_coupon", coupon.Code, of.Code, with.Code, elsewhere.Code, gone.Code))
		expect(s.restore(sale, others, bought), fmt.Sprintf("%s activeU used_coupon, %s expired expired_coupon",
			elsewhere.Code, gone.Code))
		for _, p := range s.bought(ida) {
			if p.ReturnedAmount > 0 && !p.Used {
				t.Errorf("the voucher %s is unused, though the return gave it back", p.Code)
			}
		}
		expect(s.lots(ida), "70 until 2031-05-31")
		s.expectSound()
	})
}

package journey

import (
	"slices"
	"testing"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// Points that journeys about ending points gave end as well, but nobody enters because of them, whichever of the
// journeys gave them.
func TestGivenPointsEndWithoutMessage(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		ending := func(j *Journey) { gift(20)(j); j.Content.Days = 5 }
		one, other := s.start("points_ending", ending), s.start("points_ending", ending)
		birthday := s.start("birthday", func(j *Journey) { gift(3)(j); j.Content.Gift.ValidDays = 50 })
		ida := s.member(born("1990-01-25"))
		s.Give(ida, points.Grant{Value: decimal.Whole(10), ValidDays: 10})
		s.days(55)
		for _, id := range []string{one, other} {
			s.expect(id, "1 sent, 1 gifts")
		}
		s.expect(birthday, "1 sent, 1 gifts")
		s.days(10)
		s.expect(one, "2 sent, 2 gifts") // about the points of the birthday
		if got := s.gifts(ida); got != 5 {
			t.Errorf("%d gifts", got)
		}
	})
}

// A day with enough points that the customer earned is an occasion, and the message tells all that end on it.
func TestGivenPointsCountInTheMessage(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("points_ending", func(j *Journey) {
			j.Content.Gift = Gift{Points: decimal.Whole(20), ValidDays: 30}
			j.Content.Days, j.Content.LeastPoints = 5, decimal.Whole(10)
			j.Content.Texts["en"] = textOf("{{ ending_points }} end")
		})
		ida := s.member()
		s.Give(ida, points.Grant{Value: decimal.Whole(10), ValidDays: 10},
			points.Grant{Value: decimal.Whole(15), ValidDays: 35}, points.Grant{Value: decimal.Whole(9), ValidDays: 70})
		s.days(100)
		s.expect(id, "2 sent, 2 gifts")
		var sent []string
		for _, mail := range s.mails(ida) {
			sent = append(sent, mail.Values["mailing_text"])
		}
		if slices.Sort(sent); !slices.Equal(sent, []string{"10 end", "35 end"}) {
			t.Errorf("%q", sent)
		}
	})
}

// Points that end on each of many days bring one message a week.
func TestPointsEndingPauses(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("points_ending", func(j *Journey) { j.Content.Days = 5 })
		ida := s.member()
		for n := range 28 {
			s.Give(ida, points.Grant{Value: decimal.Whole(10), ValidDays: 10 + n})
		}
		s.days(40)
		s.expect(id, "4 sent")
	})
}

// A level that the gift of such a journey reached is no occasion to give again, until the customer earns points.
func TestLevelNearByItsGift(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		s.Configure(func(settings *store.Settings) { settings.TierAssignType = store.TierPoints })
		id := s.start("level_near", func(j *Journey) {
			j.Content.Gift.Points, j.Content.Missing = decimal.Whole(60), decimal.Whole(100).Money()
		})
		ida := s.member()
		s.run()
		s.Give(ida, points.Grant{Value: decimal.Whole(440)})
		s.days(10)
		s.expect(id, "1 sent, 1 gifts") // Silver, at 500, and 60 from Gold
		s.Give(ida, points.Grant{Value: decimal.Whole(20)})
		s.days(2)
		s.expect(id, "2 sent, 2 gifts")
	})
}

// A purchase with a coupon that such a journey gave is no occasion of one, and one with another coupon is.
func TestPurchaseWithTheGift(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		reward := s.Campaign("Coffee", func(d *campaign.Draft) {
			d.Unlimited, d.SingleCoupon, d.Codes = true, true, []string{"CUP"}
		})
		give := func(j *Journey) { j.Content.Gift.CampaignID = reward }
		id, welcomed := s.start("purchase", give), s.start("welcome", give)
		ida := s.member()
		s.run()
		s.expect(welcomed, "1 sent, 1 gifts")
		s.uses(ida, reward, s.coupon(ida, welcomed), s.buys(ida, 10))
		s.run()
		s.expect(id, "1 sent, 1 gifts")
		s.uses(ida, reward, s.coupon(ida, id), s.buys(ida, 10))
		s.run()
		s.expect(id, "1 sent, 1 gifts, over 1")
	})
}

// coupon returns the coupon that a journey gave a customer first.
func (s *shop) coupon(customerID, journeyID string) (couponID string) {
	s.Helper()
	s.Read(func(tx *db.Tx) (err error) {
		couponID, err = db.Value[string](tx, `SELECT coupon_id FROM journey_entries
			WHERE store_id = $1 AND customer_id = $2 AND journey_id = $3 ORDER BY entry_id LIMIT 1`,
			s.Store.Key, customerID, journeyID)
		return err
	})
	return couponID
}

// uses marks a coupon with the code CUP as used for a sale.
func (s *shop) uses(customerID, campaignID, couponID, transactionID string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		return purchase.MarkUsed(tx, s.Store, []purchase.Mark{{
			CustomerID: customerID, CampaignID: campaignID, CouponID: couponID, Code: "CUP", Used: true,
			TransactionID: transactionID,
		}})
	})
}

package journey

import (
	"strings"
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

func TestWelcome(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		s.member() // before the journey
		id := s.start("welcome", func(j *Journey) { gift(20)(j); j.Content.Delay = 2 })
		ida := s.member()
		s.Write(func(tx *db.Tx) error { return joined(tx, s.Store, ida) }) // again
		s.run()
		s.expect(id, "0 sent, 1 waiting")
		s.days(3)
		s.expect(id, "1 sent, 1 gifts")
		if got := s.Account(ida).Points; got != decimal.Whole(20) || len(s.mails(ida)) != 1 {
			t.Errorf("%v points, %d e-mails", got, len(s.mails(ida)))
		}
		if d := s.mails(ida)[0]; !strings.Contains(d.Values["mailing_text"], "/api/SHOP/journey/") {
			t.Errorf("text %q", d.Values["mailing_text"])
		}
	})
}

func TestBirthdayIsOnceAYear(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("birthday", gift(10))
		ida := s.member(born("1990-01-12"))
		s.member(born("1990-01-09")) // has passed
		s.days(3)
		s.expect(id, "1 sent, 1 gifts")
		s.Write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.Store, ida)
			if err != nil {
				return err
			}
			return customer.Update(tx, s.Store, c, customer.Change{
				Registration: customer.Registration{BirthDate: "1990-01-15"}, Sent: map[string]bool{"birthDate": true},
			})
		})
		s.days(3)
		s.expect(id, "1 sent, 1 gifts")
		s.clock.Set(time.Date(2032, 1, 15, 12, 0, 0, 0, time.UTC))
		s.run()
		s.expect(id, "2 sent, 2 gifts")
	})
}

// A customer enters once until the next purchase, and gets nothing after a purchase in the delay.
func TestLapsedIsOncePerLapse(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		ida, ola, old := s.member(), s.member(), s.member()
		s.buys(old, 5)
		s.days(12)
		id := s.start("lapsed", func(j *Journey) { j.Content.Days, j.Content.Delay = 10, 1 })
		s.buys(ida, 5)
		s.buys(ola, 5)
		s.days(10)
		s.expect(id, "0 sent, 2 waiting") // old lapsed before the journey was turned on
		s.buys(ola, 5)
		s.days(2)
		s.expect(id, "1 sent, over 1")
		s.days(30)
		s.expect(id, "2 sent, over 1") // Ola, after her second purchase
		s.buys(ida, 5)
		s.days(15)
		s.expect(id, "3 sent, over 1")
	})
}

func TestPointsEnding(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("points_ending", func(j *Journey) {
			j.Content.Days, j.Content.LeastPoints, j.Content.Delay = 10, decimal.Whole(50), 1
			j.Content.Texts["en"] = textOf("{{ ending_points }} end on {{ end_date }}")
		})
		many, few, spent := s.member(), s.member(), s.member()
		s.Give(many, points.Grant{Value: decimal.Whole(60), ValidDays: 15})
		s.Give(many, points.Grant{Value: decimal.Whole(5), ValidDays: 40})
		s.Give(few, points.Grant{Value: decimal.Whole(40), ValidDays: 15})
		s.Give(spent, points.Grant{Value: decimal.Whole(60), ValidDays: 15})
		s.days(5)
		s.expect(id, "0 sent, 2 waiting")
		s.spend(spent, 20)
		s.days(20)
		s.expect(id, "1 sent, over 1")
		if got := s.mails(many)[0].Values["mailing_text"]; got != "60 end on 2031-01-25" {
			t.Error(got)
		}
	})
}

// Those who are near a level when the journey is turned on get nothing, and later ones once for the level.
func TestLevelNear(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		before, ida, far := s.member(), s.member(), s.member()
		s.buys(before, 450)
		s.buys(far, 100)
		id := s.start("level_near", func(j *Journey) {
			j.Content.Missing = decimal.Whole(100).Money()
			j.Content.Texts["en"] = textOf("{{ missing }} to {{ next_level_name }}")
		})
		s.run()
		s.expect(id, "0 sent, before 1")
		s.buys(ida, 410)
		s.days(3)
		s.expect(id, "1 sent, before 1")
		if got := s.mails(ida)[0].Values["mailing_text"]; got != "90 to Silver" {
			t.Error(got)
		}
		s.buys(ida, 10)
		s.buys(before, 10)
		s.days(3)
		s.expect(id, "1 sent, before 1")
	})
}

// Each receipt of enough money starts the journey, within the frequency cap once.
func TestPurchase(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		ida := s.member()
		s.buys(ida, 100)
		s.run()
		id := s.start("purchase", func(j *Journey) { j.Content.Delay, j.Content.LeastAmount = 2, decimal.Whole(10).Money() })
		s.buys(ida, 5)
		s.buys(ida, 50)
		s.run()
		s.expect(id, "0 sent, 1 waiting")
		s.pass(2 * time.Hour)
		s.expect(id, "1 sent")
		s.buys(ida, 50)
		s.pass(2 * time.Hour)
		s.expect(id, "2 sent")
		s.Configure(func(settings *store.Settings) {
			settings.MarketingMessagesMost, settings.MarketingMessagesDays = 5, 7
		})
		s.buys(ida, 50)
		s.pass(2 * time.Hour)
		s.expect(id, "2 sent, capped 1")
		s.days(8)
		s.buys(ida, 50)
		s.buys(ida, 50)
		s.pass(2 * time.Hour)
		s.expect(id, "3 sent, capped 2")
	})
}

// What is checked when an entry is due: the customer, the agreement, the conditions, and the journey itself.
func TestSkippedWithReason(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		silver := s.start("welcome", func(j *Journey) { gift(5)(j); j.Content.Levels = []string{s.Levels[1]} })
		off := s.start("welcome", gift(5))
		inbox := s.start("welcome", func(j *Journey) {
			j.Content.Channels, j.Content.Texts["en"] = []string{template.Inbox}, textOf("Hello")
		})
		s.edit(off, func(_ *db.Tx, j *Journey) { j.Content.Delay = 1 })
		s.member(func(r *customer.Registration) { r.Agreements[1] = false })
		ida := s.member()
		s.run()
		s.expect(silver, "0 sent, condition 2")
		s.expect(off, "0 sent, 2 waiting")
		s.expect(inbox, "2 sent")
		s.edit(off, func(_ *db.Tx, j *Journey) { j.Active = false })
		s.Write(func(tx *db.Tx) error { _, err := Forget(tx, s.Store, ida, ""); return err })
		s.days(1)
		s.expect(off, "0 sent, off 1")
		s.edit(off, func(tx *db.Tx, j *Journey) { j.turnOn(tx); j.Content.Delay = 0 })
		blocked := s.member()
		s.Write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.Store, blocked) })
		s.run()
		s.expect(off, "0 sent, off 1, customer 1")
		if s.Account(ida).Points != 0 || s.Account(blocked).Points != 0 {
			t.Error("a gift without a message")
		}
	})
}

// A coupon is given with its code, and nobody gets a message about one that is sold out.
func TestRewardAsGift(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		reward := s.Campaign("Coffee", func(d *campaign.Draft) {
			d.Unlimited, d.SingleCoupon, d.Limit, d.LimitPerUser, d.Codes = false, true, 2, 1, []string{"CUP"}
		})
		id := s.start("welcome", func(j *Journey) {
			j.Content.Gift.CampaignID = reward
			j.Content.Texts["en"] = textOf("Your code is {{ coupon_code }}")
		})
		ida := s.member()
		s.run()
		if got := s.mails(ida)[0].Values["mailing_text"]; s.Bought(ida, reward) != 1 || len(got) <= len("Your code is ") {
			t.Errorf("%d coupons, %q", s.Bought(ida, reward), got)
		}
		s.member()
		s.member()
		s.run()
		s.expect(id, "2 sent, 2 gifts, gift 1")
	})
}

// Occasions of a time in which a journey was off are not made up for.
func TestTurnedOnAgain(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("birthday", nil)
		s.member(born("1990-01-12"))
		s.member(born("1990-01-14"))
		s.edit(id, func(_ *db.Tx, j *Journey) { j.Active = false })
		s.days(3)
		s.edit(id, func(tx *db.Tx, j *Journey) { j.turnOn(tx) })
		s.days(3)
		s.expect(id, "1 sent")
	})
}

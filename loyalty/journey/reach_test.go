package journey

import (
	"testing"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/erasure"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
)

// Without an address that takes the message there is no gift: neither by an address that was refused for good, nor on a
// channel that the store or the customer has not set up.
func TestNobodyToReach(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		by := func(channels ...string) func(j *Journey) {
			return func(j *Journey) { gift(5)(j); j.Content.Channels, j.Content.Texts["en"] = channels, textOf("Hello") }
		}
		mail, inbox := s.start("welcome", by(template.Email)), s.start("welcome", by(template.Email, template.Inbox))
		sms, push := s.start("welcome", by(template.SMS)), s.start("welcome", by(template.Push))
		s.member(func(r *customer.Registration) { r.Email = "gone@shop.example" })
		s.member(func(r *customer.Registration) { r.Email, r.Phone = "ida@shop.example", "+48500600700" })
		s.refuse("gone@shop.example")
		s.run()
		s.expect(mail, "1 sent, 1 gifts, unreachable 1")
		s.expect(inbox, "2 sent, 2 gifts")
		s.expect(sms, "0 sent, unreachable 2") // without a gateway
		s.expect(push, "0 sent, unreachable 2")
	})
}

// refuse marks an e-mail address as undeliverable.
func (s *shop) refuse(address string) {
	s.Helper()
	s.Write(func(tx *db.Tx) error {
		return tx.Insert("undeliverable_addresses", "store_id, channel, address, reason, since", "",
			[]any{s.Store.Key, template.Email, address, "550 5.1.1 no such user", tx.ServerNow().UnixMicro()})
	})
}

// In the quiet hours entries wait for their messages, so that a customer who ends the agreement meanwhile gets no gift.
func TestQuietHours(t *testing.T) {
	onShop(t, func(t *testing.T, s *shop) {
		s.Configure(func(settings *store.Settings) {
			settings.MessagesQuietFrom, settings.MessagesQuietUntil = "10:30", "18:00"
		})
		mail := s.start("welcome", gift(5))
		inbox := s.start("welcome", func(j *Journey) {
			gift(7)(j)
			j.Content.Channels, j.Content.Texts["en"] = []string{template.Email, template.Inbox}, textOf("Hello")
		})
		ida, ola := s.member(), s.member()
		s.run()
		s.expect(mail, "0 sent, 2 waiting")
		s.expect(inbox, "2 sent, 2 gifts")
		s.Write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.Store, ola)
			if err != nil {
				return err
			}
			return customer.Update(tx, s.Store, c, customer.Change{Sent: map[string]bool{customer.Agreements[1]: true}})
		})
		s.pass(8 * time.Hour)
		s.expect(mail, "1 sent, 1 gifts, unreachable 1")
		for id, whole := range map[string]int64{ida: 12, ola: 7} {
			if got := s.Account(id).Points; got != points.Amount(decimal.Whole(whole)) {
				t.Errorf("%v points, want %d", got, whole)
			}
		}
	})
}

// A gift is taken back if its message is dropped after all, because the customer ended the agreement while it waited
// for the hourly limit. What was sent, is in the inbox or was used stays.
func TestGiftsOfDroppedMessages(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		reward := s.Campaign("Coffee", func(d *campaign.Draft) { d.SingleCoupon, d.Codes = true, []string{"CUP"} })
		coupon := func(j *Journey) { j.Content.Gift.CampaignID = reward }
		withPoints, withCoupon := s.start("welcome", gift(5)), s.start("welcome", coupon)
		inbox := s.start("welcome", func(j *Journey) {
			gift(7)(j)
			j.Content.Channels, j.Content.Texts["en"] = []string{template.Email, template.Inbox}, textOf("Hello")
		})
		ida, ola, eva := s.member(), s.member(), s.member()
		s.run()
		s.spend(eva, 12)
		s.Write(func(tx *db.Tx) error {
			if err := finishMessages(tx); err != nil {
				return err
			}
			_, err := tx.Exec(`UPDATE messages SET state = 'dropped' WHERE recipient_id IN (?, ?)`, ola, eva)
			return err
		})
		s.clock.Advance(time.Hour)
		for range 2 {
			if _, err := s.svc.Settle(t.Context(), s.DB, s.Store); err != nil {
				t.Fatal(err)
			}
		}
		s.expect(withPoints, "3 sent, 2 gifts")
		s.expect(withCoupon, "3 sent, 1 gifts")
		s.expect(inbox, "3 sent, 3 gifts")
		for id, whole := range map[string]int64{ida: 12, ola: 7, eva: 0} {
			if got := s.Account(id).Points; got != points.Amount(decimal.Whole(whole)) {
				t.Errorf("%v points, want %d", got, whole)
			}
		}
	})
}

// Customers who deleted their account get no message and no gift, not even in the inbox, until they come back.
func TestLeavingCustomers(t *testing.T) {
	dbtest.Both(t)
	onShop(t, func(t *testing.T, s *shop) {
		id := s.start("birthday", func(j *Journey) {
			gift(5)(j)
			j.Content.Channels, j.Content.Texts["en"] = []string{template.Email, template.Inbox}, textOf("Hello")
		})
		ida := s.member(born("1990-01-12"))
		s.Write(func(tx *db.Tx) error {
			c, _, err := customer.Lock(tx, s.Store, ida)
			if err != nil {
				return err
			}
			return erasure.Plan(tx, c.StoreKey, c.ID, tx.Now().Add(14*day))
		})
		s.days(3)
		s.expect(id, "0 sent, unreachable 1")
		s.Write(func(tx *db.Tx) error { return erasure.Cancel(tx, s.Store.Key, ida) })
		s.clock.Set(time.Date(2032, 1, 12, 12, 0, 0, 0, time.UTC))
		s.run()
		s.expect(id, "1 sent, 1 gifts, unreachable 1")
	})
}

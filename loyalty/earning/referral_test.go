package earning

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
)

// invite invites an e-mail address in the name of a customer, and returns the token.
func (s *shop) invite(referrer, email string) string {
	s.t.Helper()
	var i *invitation.Invitation
	s.write(func(tx *db.Tx) (err error) {
		i, err = invitation.Invite(tx, s.store, referrer, email, "")
		return err
	})
	return i.Token
}

// join registers a customer by a token, and returns the id or the error.
func (s *shop) join(token string, edits ...func(*customer.Registration)) string {
	in := customer.Registration{
		Email: db.NewID() + "@example.com", FirstName: "Ole", LastName: "Vik", Agreements: [3]bool{true}, Active: true,
	}
	for _, edit := range edits {
		edit(&in)
	}
	var c *customer.Customer
	err := s.db.Write(background, func(tx *db.Tx) (err error) {
		if in.InvitationID, err = invitation.Claim(tx, s.store, token); err != nil || in.InvitationID == "" {
			return fmt.Errorf("not invited: %w", err)
		}
		if c, err = customer.Register(tx, s.store, in); err != nil {
			return err
		}
		if err := invitation.Attach(tx, s.store, c); err != nil {
			return err
		}
		return New(s.desk).registered(tx, s.store, customer.Registered{Customers: []*customer.Customer{c}})
	})
	if err != nil {
		return "refused"
	}
	return c.ID
}

func (s *shop) status(customerID string) string {
	s.t.Helper()
	var i *invitation.Invitation
	s.read(func(tx *db.Tx) error {
		c, err := customer.Find(tx, s.store.Key, customerID)
		if err == nil {
			i, err = invitation.Find(tx, s.store.Key, c.InvitationID)
		}
		return err
	})
	return fmt.Sprintf("%s %s %s", i.Status, i.ReferrerPoints, i.RecipientPoints)
}

func referralOn(eventName, rewardType string) func(*Rule) {
	return func(r *Rule) {
		r.EventName, r.Name, r.Definition.RewardType = eventName, eventName+" "+rewardType, rewardType
	}
}

func inactive(in *customer.Registration) { in.Active = false }

// TestReferralsPayBothSides follows an invitation through its life, with a rule for each event and reward.
func TestReferralsPayBothSides(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		for i, eventName := range ReferralEvents {
			for j, reward := range ReferralRewards {
				s.rule(Referral, int64(100*(i+1)+j), referralOn(eventName, reward))
				s.rule(Referral, 1, referralOn(eventName, reward)) // only the best pays
			}
		}
		ida := s.customer()
		ole := s.join(s.invite(ida, "ole@example.com"))
		for _, step := range []struct{ ida, ole, status string }{
			{"101 register referrer, 102 register both", "100 register referred, 102 register both",
				"registered 203 202"},
			{"201 first_purchase referrer, 202 first_purchase both",
				"200 first_purchase referred, 202 first_purchase both", "made_purchase 606 604"},
			{"301 every_purchase referrer, 302 every_purchase both",
				"300 every_purchase referred, 302 every_purchase both", "made_purchase 1209 1206"},
			{"301 every_purchase referrer, 302 every_purchase both",
				"300 every_purchase referred, 302 every_purchase both", "made_purchase 1812 1808"},
		} {
			if got := s.newLots(ida); got != step.ida {
				t.Errorf("the referrer got %s, want %s", got, step.ida)
			}
			if got := s.newLots(ole); got != step.ole {
				t.Errorf("the recipient got %s, want %s", got, step.ole)
			}
			if got := s.status(ole); got != step.status {
				t.Errorf("the invitation is %s, want %s", got, step.status)
			}
			if err := s.sold(s.sale(ole, "A 5")); err != nil {
				t.Fatal(err)
			}
			if err := s.sold(s.sale(ida, "A 5")); err != nil { // the referrer's own sales earn nothing
				t.Fatal(err)
			}
		}
	})
}

// newLots is lots without what an earlier call has returned.
func (s *shop) newLots(customerID string) string {
	s.t.Helper()
	if s.seen == nil {
		s.seen = map[string]int{}
	}
	all := s.lots(customerID)
	fresh := all[s.seen[customerID]:]
	s.seen[customerID] = len(all)
	if len(fresh) > 1 && fresh[:2] == ", " {
		fresh = fresh[2:]
	}
	return fresh
}

// TestReferralConditions shows whose conditions count, and who earns nothing.
func TestReferralConditions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.rule(Referral, 7, referralOn(registration, forBoth), func(r *Rule) { r.Definition.Levels = []string{s.bronze} })
		s.rule(Referral, 50, referralOn(registration, forBoth), func(r *Rule) { r.Definition.Levels = []string{s.silver} })
		ida := s.customer(func(in *customer.Registration) { in.LevelID = s.silver })
		ole := s.join(s.invite(ida, "ole@example.com"))
		if a, b := s.lots(ida), s.lots(ole); a != "7 register both" || b != a {
			t.Errorf("the level of the recipient counts: %s and %s", a, b)
		}
		s.write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.store, ida) })
		kim := s.join(s.invite(ida, "kim@example.com"))
		if a, b := s.newLots(ida), s.lots(kim); a != "7 register both" || b != "7 register both" {
			t.Errorf("a referrer who is not active earns nothing: %s and %s", a, b)
		}
		if got := s.join("no such token"); got != "refused" {
			t.Errorf("an unknown token: %s", got)
		}
		if got := s.join(""); got != "refused" {
			t.Errorf("no token: %s", got)
		}
	})
}

// TestReferralAfterActivation shows that the rules for a registration wait until the recipient is active, and then
// apply once.
func TestReferralAfterActivation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.rule(Referral, 7, referralOn(registration, forBoth))
		ida := s.customer()
		ole := s.join(s.invite(ida, "ole@example.com"), inactive)
		if got := s.lots(ida) + s.lots(ole) + s.status(ole); got != "registered 0 0" {
			t.Errorf("before the activation: %s", got)
		}
		for range 2 {
			s.write(func(tx *db.Tx) error {
				before, _, err := customer.Lock(tx, s.store, ole)
				if err != nil {
					return err
				}
				if err := customer.Activate(tx, s.store, ole); err != nil {
					return err
				}
				after, err := customer.Find(tx, s.store.Key, ole)
				if err != nil {
					return err
				}
				return New(s.desk).changed(tx, s.store, customer.Changed{Before: before, After: after})
			})
			if got := s.lots(ida) + s.lots(ole) + s.status(ole); got != "7 register both7 register bothregistered 7 7" {
				t.Errorf("after the activation: %s", got)
			}
			s.write(func(tx *db.Tx) error { return customer.Deactivate(tx, s.store, ole) })
		}
	})
}

// TestTokensUnderLoad uses one token many times at once: that of an invitation works once, that of a personal link
// always.
func TestTokensUnderLoad(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.rule(Referral, 10, referralOn(registration, forReferrer))
		ida := s.customer()
		single, always := s.invite(ida, "ole@example.com"), ""
		s.write(func(tx *db.Tx) (err error) {
			always, err = invitation.LinkToken(tx, s.store, ida)
			return err
		})
		answers := atOnce(40, func(i int) string {
			if s.join([]string{single, always}[i%2]) == "refused" {
				return "refused"
			}
			return "joined"
		})
		if diff := cmp.Diff(map[string]int{"joined": 21, "refused": 19}, answers); diff != "" {
			t.Error(diff)
		}
		if a := s.account(ida); a.Points != 21_000 {
			t.Errorf("the referrer has %s points", a.Points)
		}
		s.read(func(tx *db.Tx) error {
			n, err := invitation.Total(tx, s.store.Key, invitation.Registered)
			if n != 21 {
				t.Errorf("%d registered", n)
			}
			return err
		})
	})
}

// TestReferralSalesUnderLoad sells to two who invited each other's friends, with instant rewards, while points move
// between both sides. Each first purchase pays once, and every other sale as such.
func TestReferralSalesUnderLoad(t *testing.T) {
	dbtest.Both(t)
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		s.rule(Referral, 1000, referralOn(firstPurchase, forBoth))
		s.rule(Referral, 1, referralOn(everyPurchase, forBoth))
		gift := s.campaign(0, func(d *campaign.Draft) { d.SingleCoupon = true; d.Codes = []string{"ONE"} })
		s.rule(InstantReward, 0, func(r *Rule) { r.Definition.RewardCampaignID = gift })
		ida := s.customer()
		friends := []string{s.join(s.invite(ida, "a@example.com")), s.join(s.invite(ida, "b@example.com"))}
		answers := atOnce(40, func(i int) string {
			if i%4 == 3 {
				err := s.db.Write(background, func(tx *db.Tx) error {
					members, err := membership.Lock(tx, s.store, ida, friends[i%2])
					if err != nil {
						return err
					}
					gift := points.Gift{Value: 1, Issuer: points.BySystem}
					_, err = members.Give(members.Of(ida), members.Of(friends[i%2]), gift)
					if err != nil && err != points.ErrNotEnough {
						return err
					}
					return members.Save()
				})
				return fmt.Sprint("gift ", err)
			}
			return fmt.Sprint("sale ", s.sold(s.sale(friends[i%2], "A 1")))
		})
		if diff := cmp.Diff(map[string]int{"sale <nil>": 30, "gift <nil>": 10}, answers); diff != "" {
			t.Error(diff)
		}
		// Two first purchases and 28 further ones.
		if a := s.account(ida); a.Earned != 202_800 {
			t.Errorf("the referrer earned %s", a.Earned)
		}
		if a, b := s.account(friends[0]), s.account(friends[1]); a.Earned+b.Earned != 202_800 {
			t.Errorf("the recipients earned %s and %s", a.Earned, b.Earned)
		}
		var found int64
		s.read(func(tx *db.Tx) (err error) {
			found, err = invitation.Total(tx, s.store.Key, invitation.MadePurchase)
			return err
		})
		if found != 2 {
			t.Errorf("%d made a purchase", found)
		}
	})
}

// TestNobodyIsInvitedTwice invites one address many times at once, by several customers.
func TestNobodyIsInvitedTwice(t *testing.T) {
	dbtest.Both(t)
	dbtest.EachAt(t, func() time.Time { return time.Date(2031, 4, 17, 12, 0, 0, 0, time.UTC) },
		func(t *testing.T, d *db.DB) {
			s := newShop(t, d)
			referrers := []string{s.customer(), s.customer(), s.customer()}
			answers := atOnce(30, func(i int) string {
				return fmt.Sprint(s.db.Write(background, func(tx *db.Tx) error {
					_, err := invitation.Invite(tx, s.store, referrers[i%3], "ole@example.com", "")
					return err
				}))
			})
			if diff := cmp.Diff(map[string]int{"<nil>": 1, "Invitation exists": 29}, answers); diff != "" {
				t.Error(diff)
			}
		})
}

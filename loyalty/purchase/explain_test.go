package purchase_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/level"
	"punchcard/loyalty/purchase"
	"punchcard/platform/db"
	"punchcard/platform/db/dbtest"
	"punchcard/platform/decimal"
	"punchcard/platform/fault"
)

// draw chooses a campaign that may break any of the rules.
func draw(t *rapid.T) func(*campaign.Draft) {
	types := []*campaign.RewardType{campaign.DiscountCode, campaign.GiftCode, campaign.PercentageDiscount,
		campaign.CustomCampaignCode, campaign.Cashback}
	small := func(name string) int64 { return rapid.Int64Range(0, 3).Draw(t, name) }
	often := func(name string) bool { return rapid.IntRange(0, 4).Draw(t, name) > 0 }
	limit, perUser, cost := small("limit"), small("limit per user"), 20*small("cost")
	unlimited, single := rapid.Bool().Draw(t, "unlimited"), rapid.Bool().Draw(t, "single")
	on, active, visible, meant := often("on"), often("active"), often("visible"), often("meant")
	reward := campaign.DiscountCode
	if !often("discount") {
		reward = rapid.SampledFrom(types).Draw(t, "reward")
	}
	return func(d *campaign.Draft) {
		d.Reward, d.Cost, d.Active, d.Unlimited, d.SingleCoupon = reward, decimal.Whole(cost), on, unlimited, single
		d.Limit, d.LimitPerUser = limit, perUser
		if !reward.Fields.Codes {
			d.SingleCoupon, d.Unlimited, d.Codes, d.Cost = true, true, nil, 0
			d.Definition.Percentage = 10
		}
		if !active {
			d.Activity = campaign.Window{From: time.Unix(1, 0), To: time.Unix(1, 0)}
		}
		if !visible {
			d.Visibility = campaign.Window{From: time.Unix(1, 0), To: time.Unix(1, 0)}
		}
		if !meant {
			d.Definition.Levels = []string{db.NewID()}
		}
	}
}

// A purchase succeeds exactly if every rule passes. A refusal explains itself, unless it is 404.
func TestPurchasesSucceedIfEveryRulePasses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		rapid.Check(t, func(r *rapid.T) {
			id := s.campaign(0, rapid.IntRange(1, 3).Draw(r, "codes"), draw(r))
			who := s.Customers(2, rapid.Int64Range(0, 60).Draw(r, "points"))
			for range 5 {
				why := &purchase.Explanation{Role: access.Seller}
				gross := decimal.Whole(rapid.Int64Range(0, 20).Draw(r, "sale")).Money()
				of, byAdministrator := rapid.SampledFrom(who).Draw(r, "who"), rapid.Bool().Draw(r, "administrator")
				_, err := s.buy(of, id, func(b *purchase.Buy) {
					b.Explanation, b.Administrator = why, byAdministrator
					b.Quantity = rapid.Int64Range(0, 3).Draw(r, "quantity")
					if rapid.Bool().Draw(r, "of a sale") {
						b.TransactionID, b.TransactionValue = db.NewID(), &gross
					}
				})
				passed := !slices.ContainsFunc(why.Findings, func(f api.Finding) bool { return !f.Passed })
				if len(why.Findings) == 0 || passed != (err == nil) {
					r.Fatalf("%v, but %+v", err, why.Findings)
				}
				refusal, _ := errors.AsType[*fault.Error](err)
				if refusal != nil && (refusal.Kind == fault.NotFound) != (refusal.Explanation == nil) {
					r.Fatalf("%v: %s", err, refusal.Explanation)
				}
			}
		})
	})
}

// Customers learn the reasons that are theirs, and nothing of what they cannot find.
func TestReasonsForCustomers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newShop(t, d)
		who := s.Customers(1, 50)[0]
		var silver *level.Level
		var now time.Time
		s.Write(func(tx *db.Tx) (err error) {
			now = tx.Now()
			silver, err = level.Create(tx, s.Store, level.Level{
				Active: true, ConditionValue: decimal.Whole(1000).Money(), Reward: level.Reward{Name: "Silver", Code: "S"},
				Translations: []level.Translation{{Locale: "en", Name: "Silver"}},
			})
			return err
		})
		nextYear := campaign.Window{From: now.AddDate(1, 0, 0), To: now.AddDate(2, 0, 0)}
		other := func(public bool) func(*campaign.Draft) {
			return func(d *campaign.Draft) { d.Public, d.Definition.Levels = public, []string{silver.ID} }
		}
		want := map[string]string{
			s.campaign(60, 1, nil):         "points",
			s.campaign(10, 1, other(true)): "level",
			s.campaign(10, 0, nil):         "soldOut",
			s.campaign(10, 1, func(d *campaign.Draft) {
				d.Unlimited, d.Limit, d.LimitPerUser = false, 1, 0
			}): "limitReached",
			s.campaign(10, 1, func(d *campaign.Draft) {
				d.Activity = nextYear
			}): "notActiveYet",
		}
		hidden := []string{
			s.campaign(10, 1, other(false)),
			s.campaign(10, 1, func(d *campaign.Draft) { d.Active = false }),
			s.campaign(10, 1, func(d *campaign.Draft) {
				d.Visibility = nextYear
			}),
		}
		got, err := s.desk.Explained(background, s.Store, access.Customer, who)
		if err != nil {
			t.Fatal(err)
		}
		for id, reason := range want {
			if of := got[id]; len(of) != 1 || of[0].Rule != reason || of[0].Passed {
				t.Errorf("%s: %+v", reason, of)
			}
		}
		all, err := s.desk.Explained(background, s.Store, access.Administrator, who)
		for i, id := range hidden {
			if _, listed := got[id]; listed || err != nil || all[id] == nil {
				t.Errorf("hidden %d: customers get %+v, administrators %+v: %v", i, got[id], all[id], err)
			}
		}
	})
}

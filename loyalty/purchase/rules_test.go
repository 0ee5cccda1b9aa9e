package purchase

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"punchcard/loyalty/campaign"
)

// limits returns the error of the limits of all customers and of one customer.
func limits(c *campaign.Campaign, k campaign.Counters, mine, quantity int64) error {
	a := &attempt{campaign: c, counters: k, mine: mine, quantity: quantity}
	for i := range rules {
		if rules[i].limits && rules[i].name != "codes" {
			if err := rules[i].decide(a); err != nil {
				return err
			}
		}
	}
	return nil
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name                 string
		reward               *campaign.RewardType
		single, unlimited    bool
		free, sold           int64
		limit, perUser, mine int64
		quantity             int64
		want                 error
	}{
		{"codes without limit", campaign.DiscountCode, false, true, 2, 5, 0, 0, 5, 2, nil},
		{"codes without limit, one too many", campaign.DiscountCode, false, true, 2, 5, 0, 0, 5, 3,
			campaign.ErrNoCoupons},
		{"codes without limit, sold out", campaign.DiscountCode, false, true, 0, 5, 0, 0, 0, 1,
			campaign.ErrNoCoupons},
		{"one code for all without limit", campaign.DiscountCode, true, true, 0, 5, 0, 0, 5, 1_000, nil},
		{"up to the limit", campaign.DiscountCode, false, false, 9, 3, 5, 9, 0, 2, nil},
		{"past the limit", campaign.DiscountCode, false, false, 9, 3, 5, 9, 0, 3, campaign.ErrLimit},
		{"up to the personal limit", campaign.DiscountCode, false, false, 9, 3, 9, 2, 1, 1, nil},
		{"past the personal limit", campaign.DiscountCode, false, false, 9, 3, 9, 2, 1, 2,
			campaign.ErrLimitPerCustomer},
		{"past both: the error is that of the limit of all", campaign.DiscountCode, false, false, 9, 3, 3, 2, 2, 1,
			campaign.ErrLimit},
		{"past the limit and without codes", campaign.DiscountCode, false, false, 0, 3, 3, 9, 0, 1,
			campaign.ErrLimit},
		{"past the personal limit and without codes", campaign.GiftCode, false, false, 0, 3, 9, 1, 1, 1,
			campaign.ErrLimitPerCustomer},
		{"within the limits without codes: selling reports it", campaign.DiscountCode, false, false, 0, 1, 10, 10, 1, 1,
			nil},
		{"one code for all, past the limit", campaign.EventCode, true, false, 0, 3, 3, 9, 0, 1, campaign.ErrLimit},
		{"one code for all, past the personal limit", campaign.EventCode, true, false, 0, 3, 9, 1, 1, 1,
			campaign.ErrLimitPerCustomer},
		{"cashback", campaign.Cashback, true, true, 0, 3, 0, 0, 3, 1, nil},
		{"percentage", campaign.PercentageDiscount, false, false, 0, 3, 0, 0, 3, 1, nil},
		{"custom", campaign.CustomCampaignCode, false, false, 0, 3, 0, 0, 3, 1, nil},
	} {
		subject := &campaign.Campaign{
			Reward: c.reward, SingleCoupon: c.single, Unlimited: c.unlimited, Limit: c.limit, LimitPerUser: c.perUser,
		}
		counters := campaign.Counters{Sold: c.sold, NextPosition: c.sold + 1, LastPosition: c.sold + c.free}
		if got := limits(subject, counters, c.mine, c.quantity); !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for err, text := range map[error]string{
		campaign.ErrNoCoupons: "No coupons left", campaign.ErrLimit: "Limit exceeded",
		campaign.ErrLimitPerCustomer: "Limit per customer exceeded",
	} {
		if err.Error() != text {
			t.Errorf("%q, want %q", err, text)
		}
	}
}

// The usage left that is shown is exactly the number of coupons that can be bought.
func TestUsageLeftIsWhatCanBeBought(t *testing.T) {
	normal := []*campaign.RewardType{campaign.DiscountCode, campaign.FreeDeliveryCode, campaign.GiftCode,
		campaign.EventCode, campaign.ValueCode}
	rapid.Check(t, func(t *rapid.T) {
		small := func(name string) int64 { return rapid.Int64Range(0, 6).Draw(t, name) }
		c := &campaign.Campaign{
			Reward: rapid.SampledFrom(normal).Draw(t, "reward"), SingleCoupon: rapid.Bool().Draw(t, "single"),
			Unlimited: rapid.Bool().Draw(t, "unlimited"), Limit: small("limit"), LimitPerUser: small("limit per user"),
		}
		mine := small("mine")
		sold := mine + small("sold to others")
		k := campaign.Counters{Sold: sold, NextPosition: sold + 1, LastPosition: sold + small("codes left")}
		quantity := rapid.Int64Range(1, 8).Draw(t, "quantity")
		hasCode := c.SingleCoupon || quantity <= k.LastPosition-k.Sold
		can := limits(c, k, mine, quantity) == nil && hasCode
		if shown := quantity <= c.UsageLeft(k) && quantity <= c.UsageLeftFor(k, mine); can != shown {
			t.Fatalf("%+v, %+v, %d of %d: bought %v, shown %v", c, k, quantity, mine, can, shown)
		}
	})
}

package checkout

import (
	"punchcard/loyalty/feature"
	"punchcard/loyalty/transaction"
)

// Feature returns checkouts. See docs/behaviour/checkout.md.
func (svc *Service) Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Checkout",
			Description: "What a basket costs and earns, with coupons and rewards, before it is paid."},
		Endpoints: svc.Endpoints(),
		Limits: []feature.Limit{
			{Name: "checkoutLines", Value: transaction.ItemLimit, Unit: "lines"},
			{Name: "checkoutCoupons", Value: CouponLimit, Unit: "coupons"},
			{Name: "checkoutRewards", Value: RewardLimit, Unit: "rewards"},
			{Name: "checkoutCombinations", Value: CombinationLimit, Unit: "combinations"},
			{Name: "checkoutRewardsShown", Value: RewardsShown, Unit: "rewards"},
		},
	}
}

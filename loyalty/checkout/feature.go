package checkout

import (
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/storeapi"
	"punchcard/loyalty/transaction"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns checkouts. See docs/behaviour/checkout.md.
func (svc *Service) Feature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Checkout",
			Description: "What a basket costs and earns, with coupons and rewards, before it is paid."},
		Endpoints: svc.Endpoints(),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "reservations", Rank: 19, Read: Export}},
			NotForgotten:  "baskets name products and coupons, and are deleted after their end",
			NotHandedOver: "it stays with the merged customer",
		},
		StoreJobs: []store.Job{{Name: "old reservations", Work: forgetEnded}},
		Tables:    []check.Table{Reservations},
		On: []feature.Reaction{feature.On(func(tx *db.Tx, s *store.Store, u *storeapi.CurrencyUse) (err error) {
			u.Reservations, err = HasOpen(tx, s.Key)
			return err
		})},
		Rules:     Rules(),
		Emissions: Emissions(),
		Limits: []feature.Limit{
			{Name: "reservationsOfCustomer", Value: OpenOfCustomer, Unit: "open reservations"},
			{Name: "reservationsOfCaller", Value: int64(svc.openOfCaller), Unit: "open reservations", Setting: openSetting},
			feature.Seconds("reservationTime", LongestTime, ""),
			feature.Seconds("reservationsKept", Retention, ""),
			{Name: "checkoutLines", Value: transaction.ItemLimit, Unit: "lines"},
			{Name: "checkoutCoupons", Value: CouponLimit, Unit: "coupons"},
			{Name: "checkoutRewards", Value: RewardLimit, Unit: "rewards"},
			{Name: "checkoutCombinations", Value: CombinationLimit, Unit: "combinations"},
			{Name: "checkoutRewardsShown", Value: RewardsShown, Unit: "rewards"},
		},
	}
}

package purchase

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/points/transfer"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// Feature returns purchases and coupons. See docs/behaviour/purchase.md.
func (d *Desk) Feature(guesses api.Guesses) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Purchases and coupons",
			Description: "See what a customer can have, buy it, list what was bought, and use coupons."},
		Endpoints: d.Endpoints(guesses),
		Customers: feature.Personal{
			Exports:       []feature.Export{{Name: "purchases", Rank: 2, Read: Export}},
			Forget:        []feature.Trace{Forget, ForgetAudit},
			ForgetDeleted: []feature.Trace{ForgetAudit},
			NotHandedOver: "a merge moves the coupons with the accounts",
		},
		StoreJobs: []store.Job{{Name: "coupons", Work: Advance}},
		On: []feature.Reaction{
			feature.On(Reduced),
			feature.On(d.Returned),
			feature.On(func(tx *db.Tx, s *store.Store, q *customerapi.CouponsOf) (err error) {
				q.Coupons, err = OfCustomers(tx, s, q.CustomerIDs...)
				return err
			}),
			feature.On(func(tx *db.Tx, s *store.Store, q *transfer.PurchaseOf) (err error) {
				q.Purchase, err = OfTransfer(tx, s, q.Spend)
				return err
			}),
		},
		Rules:     Rules(d.Catalogue.Types),
		Tables:    []check.Table{Purchases},
		Emissions: Emissions(),
		Timeline:  []feature.TimelineSource{{Kind: "purchase", Resource: access.RewardCampaigns, Rank: 1, Page: timeline}},
		Limits: []feature.Limit{
			{Name: "purchaseQuantity", Value: QuantityLimit, Unit: "coupons"},
			{Name: "purchasesCounted", Value: CountLimit, Unit: "coupons"},
			{Name: "markedAsUsed", Value: MarkLimit, Unit: "coupons"},
			{Name: "markedAsUsedAtTill", Value: TillMarkLimit, Unit: "coupons"},
			feature.Seconds("useTakenBackAtTill", UndoTime, ""),
			{Name: "validatedPurchases", Value: ValidationLimit, Unit: "entries"},
		},
	}
}

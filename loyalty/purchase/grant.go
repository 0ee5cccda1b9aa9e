package purchase

import (
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/decimal"
)

// Gift is a set of coupons that a sale earned its customer: one of each campaign, at no cost.
type Gift struct {
	CustomerID    string
	CampaignIDs   []string
	TransactionID string        // the sale
	Gross         decimal.Money // its value, from which percentage vouchers are computed
}

// Grant gives the coupons of gifts, and returns those it could give. It skips campaigns that are sold out or whose
// limit is reached. locale is the language of the stored names. accounts are the customers whose accounts the caller
// locks next, those of the gifts included. Call it in an operation that has locked neither campaign counters nor
// accounts yet.
func (d *Desk) Grant(tx *db.Tx, s *store.Store, locale string, accounts []string, gifts ...Gift) ([]Coupon, error) {
	var buys []Buy
	var campaigns []string
	for i := range gifts {
		gift := &gifts[i]
		for _, id := range gift.CampaignIDs {
			campaigns = append(campaigns, id)
			buys = append(buys, Buy{
				Store: s, CustomerID: gift.CustomerID, CampaignID: id, Quantity: 1, Administrator: true,
				WithoutPoints: true, TransactionID: gift.TransactionID, TransactionValue: &gift.Gross, Locale: locale,
			})
		}
	}
	if len(accounts) > len(gifts) { // accounts are locked together and after counters
		if _, err := campaign.LockCounters(tx, s.Key, db.Distinct(campaigns)...); err != nil {
			return nil, err
		}
		owners := make([]points.Owner, len(accounts))
		for i, id := range accounts {
			owners[i] = points.Owner{Store: s, CustomerID: id}
		}
		if _, err := points.Lock(tx, owners...); err != nil {
			return nil, err
		}
	}
	sold, err := d.sellHere(tx, s, buys)
	if err != nil {
		return nil, err
	}
	var given []Coupon
	for _, one := range sold {
		given = append(given, one.Out...)
	}
	return given, nil
}

// BuyIn is Buy in a transaction of the caller, for purchases at a moment of the caller's choice. It returns the outcome
// of each purchase. Call it in an operation that has locked neither campaign counters nor accounts yet.
func (d *Desk) BuyIn(tx *db.Tx, s *store.Store, buys ...Buy) ([]batch.Outcome[[]Coupon], error) {
	sold, err := d.sellHere(tx, s, buys)
	outcomes := make([]batch.Outcome[[]Coupon], len(sold))
	for i, one := range sold {
		outcomes[i] = batch.Outcome[[]Coupon]{Value: one.Out, Err: one.Err}
	}
	return outcomes, err
}

package purchase

import (
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/decimal"
)

// Gift is a set of coupons that a sale earned its customer: one of each campaign, at no cost.
type Gift struct {
	Store         *store.Store
	CustomerID    string
	CampaignIDs   []string
	TransactionID string        // the sale
	Gross         decimal.Money // its value, from which percentage vouchers are computed
	Locale        string        // default language, for the stored names
	Accounts      []string      // customers whose accounts the caller locks next, if not only this one
}

// Grant gives the coupons of a gift, and returns those it could give. It skips campaigns that are sold out or whose
// limit is reached. Call it in an operation that has locked neither campaign counters nor accounts yet.
func (d *Desk) Grant(tx *db.Tx, gift Gift) ([]Coupon, error) {
	buys := make([]Buy, len(gift.CampaignIDs))
	for i, id := range gift.CampaignIDs {
		buys[i] = Buy{
			Store: gift.Store, CustomerID: gift.CustomerID, CampaignID: id, Quantity: 1, Administrator: true,
			WithoutPoints: true, TransactionID: gift.TransactionID, TransactionValue: &gift.Gross, Locale: gift.Locale,
		}
	}
	if len(gift.Accounts) > 1 { // accounts are locked together and after counters
		if _, err := campaign.LockCounters(tx, gift.Store.Key, db.Distinct(gift.CampaignIDs)...); err != nil {
			return nil, err
		}
		owners := make([]points.Owner, len(gift.Accounts))
		for i, id := range gift.Accounts {
			owners[i] = points.Owner{Store: gift.Store, CustomerID: id}
		}
		if _, err := points.Lock(tx, owners...); err != nil {
			return nil, err
		}
	}
	outcomes, err := d.sell(tx, gift.Store, buys)
	if err != nil {
		return nil, err
	}
	var given []Coupon
	for _, outcome := range outcomes {
		if outcome.Err == nil {
			given = append(given, outcome.Value...)
		}
	}
	return given, nil
}

// BuyIn is Buy in a transaction of the caller, for purchases at a moment of the caller's choice. It returns the outcome
// of each purchase. Call it in an operation that has locked neither campaign counters nor accounts yet.
func (d *Desk) BuyIn(tx *db.Tx, s *store.Store, buys ...Buy) ([]batch.Outcome[[]Coupon], error) {
	return d.sell(tx, s, buys)
}

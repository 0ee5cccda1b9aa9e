package purchase

import (
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Shown is a coupon that is shown by its code before the basket is paid.
type Shown struct {
	Code       string
	CampaignID string // chooses one of several campaigns with the code; may be empty

	Coupon  *Owned       // nil if the code means no coupon
	Problem *fault.Error // why it cannot be used now; nil if it can
}

// IsUnknown reports whether the code means nothing to the customer, so that it may be a guess.
func (s *Shown) IsUnknown() bool { return s.Problem == errCouponUnknown }

// FindShown finds the coupons of codes: those of the customer or, without one, of anybody, if one customer has the
// code. Only SQLite needs a statement for each code.
func FindShown(tx *db.Tx, s *store.Store, customerID string, shown []Shown) error {
	codes := make([]string, len(shown))
	for i := range shown {
		codes[i] = shown[i].Code
	}
	codes = db.Distinct(codes)
	if len(codes) == 0 {
		return nil
	}
	find := couponsOfCodes
	if customerID != "" {
		find = ownCoupons(customerID)
	}
	found, err := find(tx, s.Key, codes...)
	if err != nil {
		return err
	}
	var all []match
	for _, of := range found {
		all = append(all, of...)
	}
	customers := map[string]*customer.Customer{}
	if len(all) > 0 {
		if customers, err = ownersOf(tx, s.Key, all); err != nil {
			return err
		}
	}
	for i := range shown {
		of := &shown[i]
		q := couponQuery{code: of.Code, campaignID: of.CampaignID}
		var best *match
		best, of.Problem = chooseCoupon(q.complete(tx, append([]match(nil), found[of.Code]...), customers))
		if best != nil && best.CouponID != "" {
			of.Coupon, of.CampaignID = &best.Owned, best.CampaignID
		}
	}
	return nil
}

// ownCoupons returns a function that finds the coupons of a customer by different codes, at most campaign.PlacesShown
// of each.
func ownCoupons(customerID string) func(*db.Tx, int64, ...string) (map[string][]match, error) {
	return func(tx *db.Tx, storeKey int64, codes ...string) (map[string][]match, error) {
		type row struct {
			key string
			match
		}
		found := make(map[string][]match, len(codes))
		return found, db.EachOf(tx, codes, func(r *row) []any { return append([]any{&r.key}, r.match.row()...) },
			func(r row) { found[r.key] = append(found[r.key], r.match) },
			`SELECT $key, `+columns+` FROM purchases WHERE store_id = $1 AND customer_id = $2 AND code = $key`+
				usableFirst("$3")+` LIMIT $4`, storeKey, customerID, tx.Now().UnixMicro(), campaign.PlacesShown)
	}
}

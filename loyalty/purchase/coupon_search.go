package purchase

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// Why a coupon cannot be used at the till. The codes of these errors are the reasons in the view of a coupon. See
// docs/behaviour/purchase.md#coupons-at-the-till.
var (
	errCouponUsed     = fault.New(fault.Fields, "coupon_used", "This coupon was used already.")
	errCouponReserved = fault.New(fault.Fields, "coupon_reserved", "This coupon is reserved.")
	errCouponUnused   = fault.New(fault.Fields, "coupon_unused", "This coupon was not used.")
	errUseStays       = fault.New(fault.Fields, "use_stays", "This coupon was used too long ago to take its use back.")
	errCouponExpired  = fault.New(fault.Fields, "coupon_expired", "This coupon has expired.")
	errCouponInactive = fault.New(fault.Fields, "coupon_not_active_yet", "This coupon cannot be used yet.")
	errBasketTooSmall = fault.New(fault.Fields, "basket_too_small",
		"The receipt is below the minimum basket of this coupon.")
	errCouponCancelled = fault.New(fault.Fields, "coupon_cancelled", "This coupon was cancelled.")
	errCouponNotSold   = fault.New(fault.Fields, "coupon_not_sold", "This coupon was not sold.")
	errCouponShared    = fault.New(fault.Fields, "coupon_shared",
		"Several customers have this code. Find the customer first.")
	errCouponOwner   = fault.New(fault.Fields, "customer_not_active", "The customer of this coupon is not active.")
	errCouponUnknown = fault.New(fault.Fields, "unknown_coupon", "There is no such coupon.")
	errManyCampaigns = fault.New(fault.Fields, "several_campaigns", "Several campaigns have this code. Choose one.")
)

// couponQuery selects a coupon. All fields but the code may be empty.
type couponQuery struct {
	code                             string
	customerID, campaignID, couponID string
}

// match is a coupon that a couponQuery finds.
type match struct {
	Purchase                    // only CampaignID and Code if nobody has the coupon, or several customers do
	owner    *customer.Customer // nil in these cases
	problem  *fault.Error       // why it cannot be used now; nil if it can
}

var matches = db.NewView(table, func(m *match) db.Row { return table.Row(&m.Purchase) })

// findCoupons returns the coupons of a code, those that can be used first, at most PlacesShown. Without a customer it
// finds codes that one customer has, and marks the others unsold or shared.
func findCoupons(tx *db.Tx, s *store.Store, q couponQuery) ([]match, error) {
	var found []match
	var err error
	if q.customerID != "" {
		found, err = couponsOf(tx, s.Key, q)
	} else {
		found, err = couponsOfCode(tx, s.Key, q.code)
	}
	if err != nil {
		return nil, err
	}
	customers, err := ownersOf(tx, s.Key, found)
	return q.complete(tx, found, customers), err
}

// ownersOf returns the customers of coupons, by their ids.
func ownersOf(tx *db.Tx, storeKey int64, found []match) (map[string]*customer.Customer, error) {
	var owners []string
	for i := range found {
		if found[i].CustomerID != "" {
			owners = append(owners, found[i].CustomerID)
		}
	}
	return customer.FindAll(tx, storeKey, db.Distinct(owners)...)
}

// complete returns those of the coupons that the query selects, with their owners and what stands against their use.
// Those that can be used come first.
func (q couponQuery) complete(tx *db.Tx, found []match, customers map[string]*customer.Customer) []match {
	found = slices.DeleteFunc(found, func(m match) bool {
		owner := customers[m.CustomerID]
		return m.CustomerID != "" && (owner == nil || owner.Status == customer.Deleted) ||
			q.campaignID != "" && m.CampaignID != q.campaignID ||
			q.couponID != "" && m.CouponID != "" && m.CouponID != q.couponID
	})
	for i := range found {
		m := &found[i]
		if m.CustomerID != "" {
			m.owner = customers[m.CustomerID]
			m.problem = m.whyNot(tx)
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return rank(a.problem) - rank(b.problem) })
	return found
}

// findTyped finds the coupons of a code that a person typed: those of exactly this code, otherwise of the only one that
// people may have meant by it.
func findTyped(tx *db.Tx, s *store.Store, q couponQuery) ([]match, error) {
	found, err := findCoupons(tx, s, q)
	if err != nil || len(found) > 0 {
		return found, err
	}
	codes, err := campaign.CodesLike(tx, s.Key, q.code)
	if err != nil || len(codes) == campaign.PlacesShown { // there may be more
		return nil, err
	}
	for _, q.code = range codes {
		more, err := findCoupons(tx, s, q)
		if err != nil || len(found) > 0 && len(more) > 0 {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

func rank(problem *fault.Error) int {
	if problem == nil {
		return 0
	}
	return 1
}

// whyNot returns why the coupon of a known customer cannot be used now, or nil.
func (m *match) whyNot(tx *db.Tx) *fault.Error {
	switch status := m.StatusAt(tx.Now()); {
	case m.Used:
		return errCouponUsed
	case m.IsHeld(tx.Now()):
		return errCouponReserved
	case status == Inactive:
		return errCouponInactive
	case status == Expired:
		return errCouponExpired
	case status == Cancelled:
		return errCouponCancelled
	case !m.owner.IsActive():
		return errCouponOwner
	}
	return nil
}

// couponsOf returns the customer's coupons with the code: those that can be used first, soonest expiry first.
func couponsOf(tx *db.Tx, storeKey int64, q couponQuery) ([]match, error) {
	query := db.NewSQL(`SELECT * FROM purchases WHERE store_id = ? AND customer_id = ? AND code = ?`,
		storeKey, q.customerID, q.code)
	if q.couponID != "" {
		query.And("coupon_id = ?", q.couponID)
	}
	if q.campaignID != "" {
		query.And("campaign_id = ?", q.campaignID)
	}
	now := query.Arg(tx.Now().UnixMicro())
	query.Add(usableFirst(now)+` LIMIT ?`, campaign.PlacesShown)
	return matches.All(tx, "?", query)
}

// usableFirst is the order in SQL of coupons, those that can be used first, soonest expiry first. now is the
// placeholder of a time.
func usableFirst(now string) string {
	return ` ORDER BY used, CASE WHEN ` + statusAt(now) + ` = 'active' AND NOT ` + isHeld(now) + ` THEN 0 ELSE 1 END,
		CASE WHEN active_to IS NULL THEN 1 ELSE 0 END, active_to, coupon_id`
}

// couponsOfCode returns the coupons of a code that was sold to one customer. A code that all customers of a campaign
// share has the position of its first sale, and the next sale of the campaign has it too.
func couponsOfCode(tx *db.Tx, storeKey int64, code string) ([]match, error) {
	found, err := couponsOfCodes(tx, storeKey, code)
	return found[code], err
}

// couponsOfCodes is couponsOfCode for different codes.
func couponsOfCodes(tx *db.Tx, storeKey int64, codes ...string) (map[string][]match, error) {
	places, err := campaign.PlacesOfEach(tx, storeKey, codes...)
	if err != nil || len(places) == 0 {
		return nil, err
	}
	sold, err := soldAt(tx, storeKey, places)
	if err != nil {
		return nil, err
	}
	found := make(map[string][]match, len(places))
	for code, at := range places {
		for _, p := range at {
			m := match{Purchase: Purchase{Owned: Owned{CampaignID: p.CampaignID, Code: code}}, problem: errCouponNotSold}
			if of := sold[codeOf{p.CampaignID, code}]; len(of) == 1 {
				m = of[0]
			} else if len(of) > 1 {
				m.problem = errCouponShared
			}
			found[code] = append(found[code], m)
		}
	}
	return found, nil
}

// codeOf is a code of a campaign.
type codeOf struct{ campaignID, code string }

// soldAt returns the purchases of codes at their places and at the positions after them.
func soldAt(tx *db.Tx, storeKey int64, places map[string][]campaign.Place) (map[codeOf][]match, error) {
	sold, positions, wanted := map[codeOf][]match{}, [][]any{}, map[codeOf]bool{}
	for code, at := range places {
		for _, p := range at {
			positions = append(positions, []any{p.CampaignID, p.Position}, []any{p.CampaignID, p.Position + 1})
			wanted[codeOf{p.CampaignID, code}] = true
		}
	}
	if len(positions) == 0 {
		return sold, nil
	}
	return sold, matches.Each(tx, func(m match) {
		if of := (codeOf{m.CampaignID, m.Code}); wanted[of] {
			sold[of] = append(sold[of], m)
		}
	}, `SELECT * FROM campaign_purchases WHERE store_id = ?
			AND (campaign_id, position) IN (SELECT v.campaign, v.number FROM ? AS v (store, campaign, number))`,
		storeKey, tx.AmongRows(storeKey, []string{"TEXT", "BIGINT"}, positions...))
}

// chooseCoupon returns the coupon to use of those that were found: the first, unless several campaigns have a usable
// one.
func chooseCoupon(found []match) (*match, *fault.Error) {
	if len(found) == 0 {
		return nil, errCouponUnknown
	}
	best := &found[0]
	for i := range found {
		if found[i].problem == nil && found[i].CampaignID != best.CampaignID {
			return nil, errManyCampaigns
		}
	}
	return best, best.problem
}

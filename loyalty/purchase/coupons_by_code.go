package purchase

import (
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// CouponCode is a code that is shown before the basket is paid, and the coupon that it means.
type CouponCode struct {
	Customer   *customer.Customer // whose coupon the code means; nil means that of the one customer who has the code
	Code       string
	CampaignID string // chooses one of several campaigns with the code; may be empty

	Coupon     *Owned       // nil if the code means no coupon
	CustomerID string       // who has it
	Problem    *fault.Error // why it cannot be used now; nil if it can
}

// IsUnknown reports whether the code means nothing to the customer, so that it may be a guess.
func (s *CouponCode) IsUnknown() bool { return s.Problem == errCouponUnknown }

// key names the code of the customer, or of anybody.
func (s *CouponCode) key() string {
	if s.Customer == nil {
		return s.Code
	}
	return s.Customer.ID + s.Code
}

// FindCodes finds the coupons that codes mean. Only SQLite needs a statement for each code.
func FindCodes(tx *db.Tx, s *store.Store, shown []*CouponCode) error {
	customers := map[string]*customer.Customer{}
	own := map[string][]string{}
	var others []string
	for _, of := range shown {
		if of.Customer == nil {
			others = append(others, of.Code)
		} else {
			customers[of.Customer.ID] = of.Customer
			own[of.Customer.ID] = append(own[of.Customer.ID], of.Code)
		}
	}
	found, err := ownCoupons(tx, s.Key, own)
	if err == nil && len(others) > 0 {
		err = findOthers(tx, s.Key, db.Distinct(others), found, customers)
	}
	if err != nil {
		return err
	}
	for _, of := range shown {
		q := couponQuery{code: of.Code, campaignID: of.CampaignID}
		var best *match
		best, of.Problem = chooseCoupon(q.complete(tx, append([]match(nil), found[of.key()]...), customers))
		if best == nil && of.IsUnknown() {
			if best, of.Problem, err = of.typed(tx, s, q); err != nil {
				return err
			}
		}
		if best != nil && best.CouponID != "" {
			of.Coupon, of.CampaignID, of.CustomerID = &best.Owned, best.CampaignID, best.CustomerID
		}
	}
	return nil
}

// typed finds the coupon of a code that nobody has as it was typed, as the till's look-up does.
func (s *CouponCode) typed(tx *db.Tx, of *store.Store, q couponQuery) (*match, *fault.Error, error) {
	if s.Customer != nil {
		q.customerID = s.Customer.ID
	}
	found, err := findTyped(tx, of, q)
	best, problem := chooseCoupon(found)
	return best, problem, err
}

// findOthers adds the coupons of codes that any customer has, and their owners.
func findOthers(tx *db.Tx, storeKey int64, codes []string, found map[string][]match,
	customers map[string]*customer.Customer) error {
	byCode, err := couponsOfCodes(tx, storeKey, codes...)
	if err != nil {
		return err
	}
	var all []match
	for code, of := range byCode {
		found[code] = of
		all = append(all, of...)
	}
	owners, err := ownersOf(tx, storeKey, all)
	for id, of := range owners {
		customers[id] = of
	}
	return err
}

// codeRow is a coupon of one of several codes.
type codeRow struct {
	code string
	match
}

var foundByCode = db.NewView(table, func(r *codeRow) db.Row {
	return append(db.Row{"found_by", &r.code}, table.Row(&r.Purchase)...)
}).Apart("found_by")

// ownCoupons finds the coupons of customers by their codes, at most campaign.PlacesShown of each. The result has the
// keys of CouponCode.
func ownCoupons(tx *db.Tx, storeKey int64, codes map[string][]string) (map[string][]match, error) {
	found := map[string][]match{}
	var queries []db.Query
	for id, of := range codes {
		q := db.NewSQL(`SELECT $key AS found_by, * FROM purchases WHERE store_id = ? AND customer_id = ? AND code = $key`,
			storeKey, id)
		q.Add(usableFirst(q.Arg(tx.Now().UnixMicro()))+` LIMIT ?`, campaign.PlacesShown)
		queries = append(queries, foundByCode.SelectEach(tx, db.Distinct(of), func(r codeRow) {
			found[id+r.code] = append(found[id+r.code], r.match)
		}, "?", q)...)
	}
	return found, tx.Run(queries...)
}

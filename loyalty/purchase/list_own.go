package purchase

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
)

// sortableOwn maps the sort fields of one customer's purchases to columns.
var sortableOwn = map[string]api.Column{
	"purchaseAt": "purchased_at", "costInPoints": "cost", "campaignId": "campaign_id", "coupon": "code",
	"couponId": "coupon_id", "used": "used", "reward": "reward", "status": "status", "activeSince": "active_since",
	"activeTo": "active_to", "transactionId": "NULLIF(transaction_id, '')",
	"usedForTransactionId": "NULLIF(used_for_transaction_id, '')", "returnedAmount": "returned_amount",
	"deliveryStatus": "delivery_status", "usageDate": "used_at",
}

// ownQuery is the parsed query of a list of one customer's purchases.
type ownQuery struct {
	ownFilter
	page      api.Page
	locale    api.Locale
	details   bool // with the campaigns
	withCodes bool // of the campaigns
}

// ownRequest is a request for a list of one customer's purchases.
type ownRequest struct {
	store      *store.Store
	customerID string
	wanted     ownQuery
}

// ownResult is the page, with its campaigns if the request includes details.
type ownResult struct {
	ownPage
	campaignViews
	now time.Time
}

// readOwnLists answers requests of one store. On PostgreSQL, requests that differ only in their customers share one or
// two statements.
func (d *Desk) readOwnLists(tx *db.Tx, s *store.Store, requests []ownRequest) ([]batch.Outcome[ownResult], error) {
	outcomes, alike := make([]batch.Outcome[ownResult], len(requests)), map[ownQuery][]int{}
	for i := range requests {
		alike[requests[i].wanted] = append(alike[requests[i].wanted], i)
	}
	for wanted, members := range alike {
		customers := make([]string, len(members))
		for n, i := range members {
			customers[n] = requests[i].customerID
		}
		pages, err := ownPages(tx, d.Catalogue.Types, s.Key, wanted.ownFilter, wanted.page, db.Distinct(customers))
		if err != nil {
			return nil, err
		}
		var details campaignViews
		if wanted.details {
			if details, err = d.details(tx, s, wanted, pages); err != nil {
				return nil, err
			}
		}
		for _, i := range members {
			outcomes[i].Value = ownResult{*pages[requests[i].customerID], details, tx.Now()}
		}
	}
	return outcomes, nil
}

// details reads the campaigns of the pages.
func (d *Desk) details(tx *db.Tx, s *store.Store, wanted ownQuery, pages map[string]*ownPage) (
	of campaignViews, err error) {
	var ids []string
	for _, page := range pages {
		for i := range page.purchases {
			ids = append(ids, page.purchases[i].CampaignID)
		}
	}
	if len(ids) > 0 {
		of.Shown, err = d.Catalogue.Show(tx, s, wanted.locale, wanted.withCodes, db.Distinct(ids)...)
	}
	return of, err
}

// ownFilter selects purchases of one customer.
type ownFilter struct {
	withoutExchanged bool   // no purchases of reward types that are exchanged
	deliveryStatus   string // empty for any
	usable           bool   // only coupons that can be used now
}

// ownPage is a page of one customer's purchases, and the total of all pages.
type ownPage struct {
	purchases []Owned
	total     int64
}

// ownRow is a purchase in a list of one of several customers.
type ownRow struct {
	customerID string
	Owned
}

var ownRows = db.NewView(table, func(r *ownRow) db.Row {
	return append(db.Row{"customer_id", &r.customerID}, owned.Row(&r.Owned)...)
})

// ownPages reads the same page for each of distinct customers. It reads one purchase more than the page holds, and
// counts the others only if that one shows that the page is not the last.
func ownPages(tx *db.Tx, types campaign.Types, storeKey int64, f ownFilter, request api.Page, customers []string) (
	map[string]*ownPage, error) {
	pages := make(map[string]*ownPage, len(customers))
	for _, id := range customers {
		pages[id] = &ownPage{}
	}
	from := db.NewSQL("FROM purchases WHERE store_id = ? AND customer_id = $key", storeKey)
	f.restrict(from, types, tx.Now())
	page := from.Select("$key AS customer_id, " + owned.Columns())
	page.Add(" ORDER BY ? LIMIT ? OFFSET ?", ownOrder(page, request, tx.Now()), request.Limit+1, request.Offset)
	if err := tx.Run(ownRows.SelectEach(tx, customers, func(r ownRow) {
		of := pages[r.customerID]
		of.purchases = append(of.purchases, r.Owned)
	}, "?", page)...); err != nil {
		return nil, err
	}
	var uncounted []string
	for _, id := range customers {
		of := pages[id]
		n := len(of.purchases)
		if n > request.Limit || n == 0 && request.Offset > 0 {
			uncounted = append(uncounted, id)
		}
		of.total, of.purchases = int64(request.Offset+n), of.purchases[:min(n, request.Limit)]
	}
	type count struct {
		customerID string
		total      int64
	}
	counted := from.Select("$key, COUNT(*)")
	return pages, db.EachOf(tx, uncounted, func(c *count) []any { return []any{&c.customerID, &c.total} },
		func(c count) { pages[c.customerID].total = c.total }, counted.Text(), counted.Args()...)
}

// ownOrder returns the ORDER BY terms of a list of one customer. Ids begin with the time of buying, and an index has
// both.
func ownOrder(s *db.SQL, page api.Page, now time.Time) db.Order {
	direction := ""
	if page.Descending {
		direction = " DESC"
	}
	switch column, known := sortableOwn[page.Sort]; {
	case !known || column == "coupon_id":
		return db.Order("purchased_at" + direction + ", coupon_id" + direction)
	case column == "purchased_at":
		return db.Order("purchased_at" + direction + ", coupon_id")
	}
	return columnOrder(s, page, sortableOwn, now)
}

// restrict adds the conditions of the filter.
func (f *ownFilter) restrict(from *db.SQL, types campaign.Types, now time.Time) {
	if f.withoutExchanged {
		from.Add(types.Except("reward", isExchanged))
	}
	if f.deliveryStatus != "" {
		from.And("delivery_status = ?", f.deliveryStatus)
	}
	if f.usable {
		at := from.Arg(now.UnixMicro())
		from.And("used = FALSE AND " + statusAt(at) + " = '" + Active + "' AND NOT " + isHeld(at))
	}
}

func isExchanged(t *campaign.RewardType) bool { return t.Exchanged }

// owned reads what a customer's own lists show.
var owned = db.NewView(table, func(o *Owned) db.Row {
	return db.Row{
		"coupon_id", &o.CouponID, "campaign_id", &o.CampaignID, "code", &o.Code, "status", &o.Status, "used", &o.Used,
		"purchased_at", db.Time(&o.PurchasedAt), "active_since", db.Time(&o.ActiveSince),
		"active_to", db.Time(&o.ActiveTo), "used_at", db.Time(&o.UsedAt), "cost", &o.Cost,
		"delivery_status", &o.DeliveryStatus, "transaction_id", &o.TransactionID, "held_until", db.Time(&o.HeldUntil),
	}
})

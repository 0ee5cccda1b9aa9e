package purchase

import (
	"cmp"
	"slices"
	"time"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
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
	shown
	now time.Time
}

// readOwnLists answers requests of one store. Requests that differ only in their customers share one or two statements.
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
		var details shown
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
func (d *Desk) details(tx *db.Tx, s *store.Store, wanted ownQuery, pages map[string]*ownPage) (of shown, err error) {
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

// usualPage is the initial capacity of a page.
const usualPage = 10

// idsLimit is the largest number of purchases of a customer that are read by their ids to be filtered or sorted. For
// customers with more, such lists follow the linked list of purchases.
const idsLimit = 200

// ownPages reads the same page for each of distinct customers.
func ownPages(tx *db.Tx, types campaign.Types, storeKey int64, f ownFilter, request api.Page, customers []string) (
	map[string]*ownPage, error) {
	pages := make(map[string]*ownPage, len(customers))
	for _, id := range customers {
		pages[id] = &ownPage{}
	}
	// Ids are in the order of buying, and some lists need nothing else to know which purchases are on the page.
	direct := f.knownByIDs() && inOrderOfIDs(request)
	wanted := points.IDsWanted{Limit: idsLimit}
	if direct {
		wanted = points.IDsWanted{WithoutExchanged: f.withoutExchanged}
	}
	ids, others, err := points.PurchaseIDs(tx, storeKey, wanted, customers)
	if err != nil {
		return nil, err
	}
	var some []string
	for i, id := range customers {
		own := ids[id]
		if direct {
			pages[id].total = int64(len(own))
			own = pageOf(own, request)
		}
		some = append(some, own...)
		if len(some) == 0 || len(some) < idsAtOnce && i < len(customers)-1 {
			continue
		}
		if direct {
			err = purchasesByID(tx, storeKey, some, pages)
		} else {
			err = pagesByID(tx, types, storeKey, f, request, some, pages)
		}
		if err != nil {
			return nil, err
		}
		some = nil
	}
	if len(others) == 0 {
		return pages, nil
	}
	long := make([]string, len(others))
	for i := range others {
		long[i] = others[i].CustomerID
		pages[long[i]].total = others[i].Purchases
	}
	return pages, longPages(tx, types, storeKey, f, request, long, pages)
}

// knownByIDs reports whether the ids of purchases tell which of them the filter selects.
func (f *ownFilter) knownByIDs() bool { return f.deliveryStatus == "" && !f.usable }

// inOrderOfIDs reports whether the order of a list is known from the ids of its purchases, which begin with the time of
// buying.
func inOrderOfIDs(request api.Page) bool {
	column, known := sortableOwn[request.Sort]
	return !known || column == "coupon_id" || column == "purchased_at"
}

// pageOf cuts a page out of the ids of a customer's purchases, which are sorted. Purchases of one moment stay in the
// order of buying if they are sorted by time.
func pageOf(ids []string, request api.Page) []string {
	if request.Descending {
		slices.Reverse(ids)
		if sortableOwn[request.Sort] == "purchased_at" {
			slices.SortFunc(ids, func(a, b string) int {
				return cmp.Or(cmp.Compare(db.IDTime(b), db.IDTime(a)), cmp.Compare(a, b))
			})
		}
	}
	return request.Of(ids)
}

// idsAtOnce is about how many ids one statement reads, all of a customer together. SQLite limits the parameters.
const idsAtOnce = 1000

// ownRow is a purchase in a list of one of several customers.
type ownRow struct {
	customerID string
	Owned
}

func (r *ownRow) columns() []any { return append([]any{&r.customerID}, r.row()...) }

// purchasesByID adds the purchases with the ids to the pages of their customers, in the order of the ids.
func purchasesByID(tx *db.Tx, storeKey int64, ids []string, pages map[string]*ownPage) error {
	for part := range slices.Chunk(ids, idsAtOnce) {
		rows, place := make([]ownRow, len(part)), make(map[string]int, len(part))
		for i, id := range part {
			place[id] = i
		}
		if err := db.Each(tx, (*ownRow).columns, func(r ownRow) { rows[place[r.CouponID]] = r },
			`SELECT customer_id, `+ownedColumns+` FROM ?
				CROSS JOIN purchases p WHERE p.store_id = v.store AND p.coupon_id = v.column1`,
			tx.Among(storeKey, part...)); err != nil {
			return err
		}
		for i := range rows {
			if of := pages[rows[i].customerID]; of != nil { // punchcard check finds ids of another customer's purchases
				of.purchases = append(of.purchases, rows[i].Owned)
			}
		}
	}
	return nil
}

// pagesByID sets the pages of customers whose purchases have the ids.
func pagesByID(tx *db.Tx, types campaign.Types, storeKey int64, f ownFilter, request api.Page, ids []string,
	pages map[string]*ownPage) error {
	from := db.NewSQL(`FROM ? CROSS JOIN purchases p WHERE p.store_id = v.store AND p.coupon_id = v.column1`,
		tx.Among(storeKey, ids...))
	f.restrict(from, types, tx.Now())
	all := from.Select("customer_id, " + ownedColumns)
	all.Add(" ORDER BY ?", order(all, request, sortableOwn, tx.Now()))
	return db.Each(tx, (*ownRow).columns, func(r ownRow) {
		of := pages[r.customerID]
		if of == nil {
			return // another customer's: punchcard check finds such accounts
		}
		if n := int(of.total) - request.Offset; 0 <= n && n < request.Limit {
			of.purchases = append(of.purchases, r.Owned)
		}
		of.total++
	}, all.Text(), all.Args()...)
}

// longPages sets the pages of customers with many purchases, whose totals are those of all purchases. It reads one row
// more than the page holds, and counts what a filter selects only if that row shows that the page is not the last.
func longPages(tx *db.Tx, types campaign.Types, storeKey int64, f ownFilter, request api.Page, customers []string,
	pages map[string]*ownPage) error {
	from := db.NewSQL(fromOwn(listedColumns, "$key"), storeKey)
	f.restrict(from, types, tx.Now())
	page := from.Select("$key, " + ownedColumns)
	page.Add(" ORDER BY ? LIMIT ? OFFSET ?",
		order(page, request, sortableOwn, tx.Now()), request.Limit+1, request.Offset)
	if err := db.EachOf(tx, customers, (*ownRow).columns, func(r ownRow) {
		of := pages[r.customerID]
		if of.purchases == nil {
			of.purchases = make([]Owned, 0, min(request.Limit, usualPage)+1)
		}
		of.purchases = append(of.purchases, r.Owned)
	}, page.Text(), page.Args()...); err != nil {
		return err
	}
	var uncounted []string
	for _, id := range customers {
		of := pages[id]
		n := len(of.purchases)
		of.purchases = of.purchases[:min(n, request.Limit)]
		switch {
		case f == ownFilter{}:
		case n > request.Limit || n == 0 && request.Offset > 0:
			uncounted = append(uncounted, id)
		default:
			of.total = int64(request.Offset + n)
		}
	}
	type count struct {
		customerID string
		total      int64
	}
	counted := from.Select("$key, COUNT(*)")
	return db.EachOf(tx, uncounted, func(c *count) []any { return []any{&c.customerID, &c.total} },
		func(c count) { pages[c.customerID].total = c.total }, counted.Text(), counted.Args()...)
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
		from.And("used = FALSE AND " + statusAt(at) + " = '" + Active + "'")
	}
}

func isExchanged(t *campaign.RewardType) bool { return t.Exchanged }

const ownedColumns = "coupon_id, campaign_id, code, status, used, purchased_at, active_since, active_to, used_at, " +
	"cost, delivery_status, transaction_id"

// listedColumns are what lists of one customer show, filter and sort by.
const listedColumns = "store_id, previous_id, reward, used_for_transaction_id, returned_amount, " + ownedColumns

func (o *Owned) row() []any {
	return []any{
		&o.CouponID, &o.CampaignID, &o.Code, &o.Status, &o.Used, db.Time(&o.PurchasedAt), db.Time(&o.ActiveSince),
		db.Time(&o.ActiveTo), db.Time(&o.UsedAt), &o.Cost, &o.DeliveryStatus, &o.TransactionID,
	}
}

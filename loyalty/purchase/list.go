package purchase

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
)

// sortableAll maps the sort fields of the bought list of a store to columns. Empty text sorts as missing.
var sortableAll = map[string]api.Column{
	"campaignId": "campaign_id", "customerId": "customer_id", "purchasedAt": "purchased_at", "status": "status",
	"couponId": "coupon_id", "coupon": "code", "campaignType": "reward", "campaignName": "campaign_name",
	"customerEmail": "NULLIF(customer_email, '')", "customerPhone": "NULLIF(customer_phone, '')",
	"customerName": "customer_name", "customerLastname": "customer_lastname", "costInPoints": "price",
	"currentPointsAmount": "points_before", "taxPriceValue": "tax_price", "used": "used",
	"activeSince": "active_since", "activeTo": "active_to", "transactionId": "NULLIF(transaction_id, '')",
	"usedForTransactionId": "NULLIF(used_for_transaction_id, '')", "returnedAmount": "returned_amount",
	"deliveryStatus": "delivery_status", "usageDate": "used_at",
}

// indexedOrders maps the sort fields whose order an index provides to the columns of the index.
var indexedOrders = map[string][2]string{
	"purchasedAt": {"purchased_at", "coupon_id"}, "customerId": {"customer_id", "coupon_id"},
	"campaignId": {"campaign_id", "position"},
}

// CountLimit is the largest total of a list with a campaign or a code and other filters.
const CountLimit = 10_000

// gatherLimit is the maximal number of matches that are read by the filter's index and then sorted. If more match,
// the list is scanned in its order until the page is full, which is soon because many match.
const gatherLimit = 10_000

// allPage returns a page of a store's purchases, by default in order of purchase, and their total.
func allPage(tx *db.Tx, storeKey int64, f *filter, page api.Page) (found []Purchase, total int64, err error) {
	if some, err := f.locate(tx, storeKey); err != nil || !some {
		return nil, 0, err
	}
	if total, err = f.total(tx, storeKey); err != nil || total <= int64(page.Offset) {
		return nil, total, err
	}
	found, err = f.page(tx, storeKey, page, f.gathers(total))
	return found, total, err
}

// gathers reports whether the matches are few enough to be read by an index of the filter and sorted.
func (f *filter) gathers(total int64) bool {
	if f.isOne() {
		return f.others
	}
	return f.customerID != "" || f.indexed() && total <= gatherLimit
}

func (f *filter) page(tx *db.Tx, storeKey int64, request api.Page, gather bool) ([]Purchase, error) {
	if request.Deep() {
		return f.deepPage(tx, storeKey, request, gather)
	}
	s := f.statement(columns, storeKey, request, gather, tx.Now())
	return db.All(tx, (*Purchase).row, s.Text(), s.Args()...)
}

// deepPage reads the keys of a page, and then their rows.
func (f *filter) deepPage(tx *db.Tx, storeKey int64, page api.Page, gather bool) ([]Purchase, error) {
	type key struct{ customer, coupon string }
	s := f.statement("customer_id, coupon_id", storeKey, page, gather, tx.Now())
	keys, err := db.All(tx, func(k *key) []any { return []any{&k.customer, &k.coupon} }, s.Text(), s.Args()...)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	coupons, rows := make([]string, len(keys)), make([][]any, len(keys))
	for i := range keys {
		coupons[i], rows[i] = keys[i].coupon, []any{&keys[i].customer, &keys[i].coupon}
	}
	found, err := db.All(tx, (*Purchase).row, `SELECT `+columns+` FROM ? CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.column1 AND p.coupon_id = v.column2`,
		tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, rows...))
	return api.InOrder(found, func(p *Purchase) string { return p.CouponID }, coupons), err
}

func (f *filter) statement(columns string, storeKey int64, page api.Page, gather bool, now time.Time) *db.SQL {
	s := f.from(storeKey, gather).Select(columns)
	return s.Add(" ORDER BY ? LIMIT ? OFFSET ?", f.order(s, page, gather, now), page.Limit, page.Offset)
}

// order returns the ORDER BY terms of a page: order of purchase, unless the request names another field.
func (f *filter) order(s *db.SQL, page api.Page, gather bool, now time.Time) db.Order {
	_, known := sortableAll[page.Sort]
	indexed, isIndexed := indexedOrders[page.Sort]
	if known && !isIndexed {
		return order(s, page, sortableAll, now)
	}
	first, then, direction := "purchased_at", "coupon_id", ""
	if page.Descending {
		direction = " DESC"
	}
	if isIndexed {
		first, then = indexed[0], indexed[1]
	} else {
		then += direction
	}
	if first == "purchased_at" && f.isOne() {
		return db.Order(plus(gather) + "position" + direction)
	}
	if first == "purchased_at" {
		first = plus(gather) + first
	}
	return db.Order(first + direction + ", " + then)
}

// plus keeps the planner from scanning the index of the order, if set.
func plus(set bool) string {
	if set {
		return "+"
	}
	return ""
}

// order returns the ORDER BY terms for a column. Statuses sort by their present value.
func order(s *db.SQL, page api.Page, columns map[string]api.Column, now time.Time) db.Order {
	if page.Sort == "status" {
		columns = map[string]api.Column{"status": api.Column(statusAt(s.Arg(now.UnixMicro())))}
	}
	return page.OrderBy(api.Order{Columns: columns, Tie: "coupon_id"})
}

// total returns the number of matches. Counters know how many there are in all, of a campaign and unused; the rest is
// counted.
func (f *filter) total(tx *db.Tx, storeKey int64) (int64, error) {
	if !f.chooses() {
		return campaign.Sold(tx, storeKey)
	}
	if f.onlyCampaign() {
		of, err := campaign.CountersOf(tx, storeKey, f.campaignID)
		return of[f.campaignID].Sold, err
	}
	if len(f.places) > 0 {
		return f.totalInPlaces(tx, storeKey)
	}
	if f.used != nil && !*f.used {
		whole, used := *f, *f
		whole.used, used.used = nil, new(true)
		all, err := whole.total(tx, storeKey)
		if err != nil {
			return 0, err
		}
		n, err := used.total(tx, storeKey)
		return max(0, all-n), err
	}
	s := f.from(storeKey, true).Select("COUNT(*)")
	return db.Value[int64](tx, s.Text(), s.Args()...)
}

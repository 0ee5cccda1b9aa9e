package purchase

import (
	"slices"
	"time"

	"punchcard/core/api"
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
	if request.Sort == "purchasedAt" && request.Descending && !gather && !f.isOne() {
		bounded, err := f.since(tx, storeKey, request)
		if err != nil {
			return nil, err
		}
		f = bounded
	}
	if request.Deep() {
		return f.deepPage(tx, storeKey, request, gather)
	}
	s := f.statement("*", storeKey, request, gather, tx.Now())
	return table.All(tx, s.Text(), s.Args()...)
}

// since returns the filter without purchases before the last one of a page that is walked from the newest on. Those of
// one moment are then all read and sorted, but not the whole store.
func (f *filter) since(tx *db.Tx, storeKey int64, page api.Page) (*filter, error) {
	s := f.from(storeKey, false).Select("purchased_at")
	s.Add(" ORDER BY coupon_id DESC LIMIT 1 OFFSET ?", max(0, page.Offset+page.Limit-1))
	last, found, err := db.One(tx, func(at *time.Time) []any { return []any{db.Time(at)} }, s.Text(), s.Args()...)
	bounded := *f
	if found {
		bounded.spans = append(slices.Clone(f.spans), span{column: "purchased_at", from: last})
	}
	return &bounded, err
}

// deepPage reads the ids of a page, and then their rows.
func (f *filter) deepPage(tx *db.Tx, storeKey int64, page api.Page, gather bool) ([]Purchase, error) {
	s := f.statement("coupon_id, position", storeKey, page, gather, tx.Now())
	var position int64 // SQLite reads a campaign in its order only if the order is selected
	ids, err := db.All(tx, func(id *string) []any { return []any{id, &position} }, s.Text(), s.Args()...)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	found, err := table.All(tx, `SELECT p.* FROM ? AS v (store, id) CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.coupon_id = v.id`, tx.Among(storeKey, ids...))
	return api.InOrder(found, func(p *Purchase) string { return p.CouponID }, ids), err
}

func (f *filter) statement(columns string, storeKey int64, page api.Page, gather bool, now time.Time) *db.SQL {
	s := f.from(storeKey, gather).Select(columns)
	return s.Add(" ORDER BY ? LIMIT ? OFFSET ?", f.order(s, page, gather, now), page.Limit, page.Offset)
}

// order returns the ORDER BY terms of a page: order of purchase, unless the request names another field. If gather is
// set, no index provides it.
func (f *filter) order(s *db.SQL, page api.Page, gather bool, now time.Time) db.Order {
	_, known := sortableAll[page.Sort]
	direction := ""
	if page.Descending {
		direction = " DESC"
	}
	switch {
	case page.Sort == "campaignId":
		return db.Order("campaign_id" + direction + ", position")
	case known && page.Sort != "purchasedAt":
		return columnOrder(s, page, sortableAll, now)
	case f.isOne():
		return db.Order(plus(gather) + "position" + direction)
	case known && page.Descending:
		return "purchased_at DESC, coupon_id"
	case gather:
		return db.Order("purchased_at" + direction + ", coupon_id" + direction)
	default: // ids begin with the time of buying
		return db.Order("coupon_id" + direction)
	}
}

// plus keeps the planner from scanning the index of the order, if set.
func plus(set bool) string {
	if set {
		return "+"
	}
	return ""
}

// columnOrder returns the ORDER BY terms for a column. Statuses sort by their present value.
func columnOrder(s *db.SQL, page api.Page, columns map[string]api.Column, now time.Time) db.Order {
	if page.Sort == "status" {
		columns = map[string]api.Column{"status": api.Column(statusAt(s.Arg(now.UnixMicro())))}
	}
	return page.OrderBy(api.Order{Columns: columns, Tie: "coupon_id"})
}

// total returns the number of matches. Counters know how many there are in all, of a campaign and unused; the rest is
// counted.
func (f *filter) total(tx *db.Tx, storeKey int64) (int64, error) {
	if !f.chooses() {
		return campaign.Purchases(tx, storeKey)
	}
	if f.onlyCampaign() {
		of, err := campaign.CountersOf(tx, storeKey, f.campaignID)
		k := of[f.campaignID]
		return max(0, k.Purchases()), err
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

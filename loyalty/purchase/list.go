package purchase

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
)

// sortableAll are the sort names of the administrator's list (reference-behaviour 8). A text that is empty when there
// is none sorts as missing.
var sortableAll = map[string]string{
	"campaignId": "campaign_id", "customerId": "customer_id", "purchasedAt": "purchased_at", "status": "status",
	"couponId": "coupon_id", "coupon": "code", "campaignType": "reward", "campaignName": "campaign_name",
	"customerEmail": "NULLIF(customer_email, '')", "customerPhone": "NULLIF(customer_phone, '')",
	"customerName": "customer_name", "customerLastname": "customer_lastname", "costInPoints": "price",
	"currentPointsAmount": "points_before", "taxPriceValue": "tax_price", "used": "used",
	"activeSince": "active_since", "activeTo": "active_to", "transactionId": "NULLIF(transaction_id, '')",
	"usedForTransactionId": "NULLIF(used_for_transaction_id, '')", "returnedAmount": "returned_amount",
	"deliveryStatus": "delivery_status", "usageDate": "used_at",
}

// keptInOrder are the sort names whose order an index keeps, with the column that goes on in the order of buying.
var indexedOrders = map[string][2]string{
	"purchasedAt": {"purchased_at", "coupon_id"}, "customerId": {"customer_id", "coupon_id"},
	"campaignId": {"campaign_id", "position"},
}

// gatherLimit is how many purchases a filter's index gathers to be sorted. Where more match, the list is walked in its
// order until the page is full, which comes soon because many match.
const gatherLimit = 10_000

// allPage lists a store's purchases, by default in the order in which they were bought.
func allPage(tx *db.Tx, storeKey int64, f *filter, asked api.Page) (found []Purchase, total int64, err error) {
	if total, err = f.total(tx, storeKey); err != nil || total <= int64(asked.Offset) {
		return nil, total, err
	}
	found, err = f.page(tx, storeKey, asked, f.indexed() && total <= gatherLimit)
	return found, total, err
}

func (f *filter) page(tx *db.Tx, storeKey int64, asked api.Page, gather bool) ([]Purchase, error) {
	s := f.statement(storeKey, asked, gather, tx.Now)
	return db.All(tx, (*Purchase).row, s.text.String(), s.args...)
}

func (f *filter) statement(storeKey int64, asked api.Page, gather bool, now time.Time) *statement {
	s := &statement{}
	s.add("SELECT ", columns)
	f.from(s, storeKey, gather)
	s.add(" ORDER BY ", orderAll(s, asked, gather, now))
	s.add(" LIMIT ", s.arg(asked.Limit), " OFFSET ", s.arg(asked.Offset))
	return s
}

// orderAll is the order of a page: that of buying, unless a column is asked for.
func orderAll(s *statement, asked api.Page, gather bool, now time.Time) string {
	_, known := sortableAll[asked.Sort]
	indexed, isIndexed := indexedOrders[asked.Sort]
	if known && !isIndexed {
		return order(s, asked, sortableAll, now)
	}
	first, then, direction := "purchased_at", "coupon_id", ""
	if asked.Descending {
		direction = " DESC"
	}
	if isIndexed {
		first, then = indexed[0], indexed[1]
	} else {
		then += direction
	}
	if gather && first == "purchased_at" {
		first = "+" + first // keeps the database from walking along the index
	}
	return first + direction + ", " + then
}

// order is the order of a page by a column, in which a status counts as what it is now.
func order(s *statement, asked api.Page, columns map[string]string, now time.Time) string {
	if asked.Sort == "status" {
		columns = map[string]string{"status": statusAt(s.arg(now.UnixMicro()))}
	}
	return asked.OrderBy(columns, "coupon_id")
}

// statusAt is StatusAt in SQL.
func statusAt(now string) string {
	return `CASE WHEN status IN ('inactive', 'active') AND used = FALSE AND active_to < ` + now + ` THEN 'expired'
		WHEN status = 'inactive' AND active_since <= ` + now + ` THEN 'active' ELSE status END`
}

// total is how many purchases match: of all and of the unused ones what the counters know, otherwise a count.
func (f *filter) total(tx *db.Tx, storeKey int64) (int64, error) {
	if !f.chooses() {
		return campaign.Sold(tx, storeKey)
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
	s := &statement{}
	s.add("SELECT COUNT(*)")
	f.from(s, storeKey, true)
	return db.Value[int64](tx, s.text.String(), s.args...)
}

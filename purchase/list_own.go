package purchase

import (
	"slices"

	"punchcard/api"
	"punchcard/platform/db"
)

// sortableOwn are the sort names of one customer's purchases (reference-behaviour 8).
var sortableOwn = map[string]string{
	"purchaseAt": "purchased_at", "costInPoints": "cost", "campaignId": "campaign_id", "coupon": "code",
	"couponId": "coupon_id", "used": "used", "reward": "reward", "status": "status", "activeSince": "active_since",
	"activeTo": "active_to", "transactionId": "NULLIF(transaction_id, '')",
	"usedForTransactionId": "NULLIF(used_for_transaction_id, '')", "returnedAmount": "returned_amount",
	"deliveryStatus": "delivery_status", "usageDate": "used_at",
}

// ownFilter chooses purchases of one customer.
type ownFilter struct {
	withoutCashback bool
	deliveryStatus  string // empty for any
}

// ownPage is a page of one customer's purchases, and how many there are on all pages.
type ownPage struct {
	purchases []Purchase
	total     int64
}

// ownPages reads the same page for each of different customers, who have few enough purchases to be counted. The count
// comes with the rows; behind the last page there are none, and it is asked for.
func ownPages(tx *db.Tx, storeKey int64, f ownFilter, asked api.Page, customers []string) (
	map[string]*ownPage, error) {
	pages := make(map[string]*ownPage, len(customers))
	for _, id := range customers {
		pages[id] = &ownPage{}
	}
	from := &statement{}
	from.add(" FROM purchases WHERE store_id = ", from.arg(storeKey), " AND customer_id = $key")
	if f.withoutCashback {
		from.add(" AND reward <> 'cashback'")
	}
	if f.deliveryStatus != "" {
		from.add(" AND delivery_status = ", from.arg(f.deliveryStatus))
	}
	type row struct {
		customerID string
		total      int64
		Purchase
	}
	columns := func(r *row) []any { return append([]any{&r.customerID, &r.total}, r.ownRow()...) }
	page := &statement{args: slices.Clone(from.args)}
	page.add("SELECT $key, c.total, p.* FROM (SELECT COUNT(*) AS total", from.text.String(),
		") AS c CROSS JOIN (SELECT ", ownColumns, from.text.String(), " ORDER BY ",
		order(page, asked, sortableOwn, tx.Now), " LIMIT ", page.arg(asked.Limit),
		" OFFSET ", page.arg(asked.Offset), ") AS p")
	err := db.EachOf(tx, customers, columns, func(r row) {
		of := pages[r.customerID]
		of.total, of.purchases = r.total, append(of.purchases, r.Purchase)
	}, page.text.String(), page.args...)
	if err != nil || asked.Offset == 0 {
		return pages, err
	}
	behind := slices.DeleteFunc(slices.Clone(customers), func(id string) bool { return pages[id].total > 0 })
	return pages, db.EachOf(tx, behind, func(r *row) []any { return []any{&r.customerID, &r.total} },
		func(r row) { pages[r.customerID].total = r.total }, "SELECT $key, COUNT(*)"+from.text.String(), from.args...)
}

// ownColumns are what the lists of one customer show.
const ownColumns = "coupon_id, campaign_id, code, status, used, purchased_at, active_since, active_to, used_at, " +
	"cost, delivery_status, transaction_id"

func (p *Purchase) ownRow() []any {
	return []any{
		&p.CouponID, &p.CampaignID, &p.Code, &p.Status, &p.Used, db.Time(&p.PurchasedAt), db.Time(&p.ActiveSince),
		db.Time(&p.ActiveTo), db.Time(&p.UsedAt), &p.Cost, &p.DeliveryStatus, &p.TransactionID,
	}
}

package purchase

import (
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
	customerID      string
	withoutCashback bool
	deliveryStatus  string // empty for any
}

// ownPage lists purchases of one customer, who has few enough to be counted. The count comes with the rows; behind the
// last page there are none, and it is asked for.
func ownPage(tx *db.Tx, storeKey int64, f ownFilter, asked api.Page) (found []Purchase, total int64, err error) {
	from := &statement{}
	from.add(" FROM purchases WHERE store_id = ", from.arg(storeKey), " AND customer_id = ", from.arg(f.customerID))
	if f.withoutCashback {
		from.add(" AND reward <> 'cashback'")
	}
	if f.deliveryStatus != "" {
		from.add(" AND delivery_status = ", from.arg(f.deliveryStatus))
	}
	count := "SELECT COUNT(*)" + from.text.String()
	page := &statement{args: from.args}
	page.add("SELECT (", count, "), ", ownColumns, from.text.String(), " ORDER BY ",
		order(page, asked, sortableOwn, tx.Now), " LIMIT ", page.arg(asked.Limit), " OFFSET ", page.arg(asked.Offset))
	columns := func(p *Purchase) []any { return append([]any{&total}, p.ownRow()...) }
	found, err = db.All(tx, columns, page.text.String(), page.args...)
	if err == nil && len(found) == 0 && asked.Offset > 0 {
		total, err = db.Value[int64](tx, count, from.args...)
	}
	return found, total, err
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

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

// ownPage lists purchases of one customer, who has few enough to be counted.
func ownPage(tx *db.Tx, storeKey int64, f ownFilter, asked api.Page) (found []Purchase, total int64, err error) {
	s := &statement{}
	s.add(" FROM purchases WHERE store_id = ", s.arg(storeKey), " AND customer_id = ", s.arg(f.customerID))
	if f.withoutCashback {
		s.add(" AND reward <> 'cashback'")
	}
	if f.deliveryStatus != "" {
		s.add(" AND delivery_status = ", s.arg(f.deliveryStatus))
	}
	if total, err = db.Value[int64](tx, "SELECT COUNT(*)"+s.text.String(), s.args...); err != nil || total == 0 {
		return nil, total, err
	}
	s.add(" ORDER BY ", order(s, asked, sortableOwn, tx.Now), " LIMIT ", s.arg(asked.Limit), " OFFSET ",
		s.arg(asked.Offset))
	found, err = db.All(tx, (*Purchase).ownRow, "SELECT "+ownColumns+s.text.String(), s.args...)
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

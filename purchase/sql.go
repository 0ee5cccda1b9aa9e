package purchase

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"punchcard/platform/db"
)

const columns = "store_id, customer_id, coupon_id, campaign_id, position, code, status, used, purchased_at, " +
	"active_since, active_to, used_at, cost, price, points_before, spend_id, reward, campaign_name, delivery_status, " +
	"transaction_id, used_for_transaction_id, returned_amount, tax_price, customer_email, customer_phone, " +
	"customer_name, customer_lastname, shipping_address"

func (p *Purchase) row() []any {
	return []any{
		&p.StoreKey, &p.CustomerID, &p.CouponID, &p.CampaignID, &p.Position, &p.Code, &p.Status, &p.Used,
		db.Time(&p.PurchasedAt), db.Time(&p.ActiveSince), db.Time(&p.ActiveTo), db.Time(&p.UsedAt),
		&p.Cost, &p.Price, &p.PointsBefore, &p.SpendID, &p.Reward, &p.CampaignName, &p.DeliveryStatus,
		&p.TransactionID, &p.UsedForTransactionID, &p.ReturnedAmount, &p.TaxPrice, &p.Email, &p.Phone,
		&p.FirstName, &p.LastName, &p.ShippingAddress,
	}
}

func unique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

func insert(tx *db.Tx, purchases []*Purchase) error {
	rows := make([][]any, len(purchases))
	for i, p := range purchases {
		rows[i] = p.row()
	}
	return tx.Insert("purchases", columns, "", rows...)
}

// readCounts reads how often each customer bought each campaign; accounts and campaigns are locked.
func (s *sale) readCounts(pairs []pair) error {
	for _, p := range pairs {
		s.counts[p] = &count{}
	}
	distinct := slices.SortedFunc(maps.Keys(s.counts), func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.customer, b.customer), cmp.Compare(a.campaign, b.campaign))
	})
	for chunk := range slices.Chunk(distinct, 64) {
		if err := s.readSomeCounts(chunk); err != nil {
			return err
		}
	}
	return nil
}

func (s *sale) readSomeCounts(pairs []pair) error {
	var text strings.Builder
	args := make([]any, 0, 2*len(pairs)+1)
	size := 1
	for size < len(pairs) {
		size *= 4
	}
	for i := range size { // padded by the last pair, so that few texts arise
		p := pairs[min(i, len(pairs)-1)]
		args = append(args, p.customer, p.campaign)
	}
	db.Tuples(&text, size, 2)
	args = append(args, s.store.Key)
	type row struct {
		pair
		bought int64
	}
	return db.Each(s.tx, func(r *row) []any { return []any{&r.customer, &r.campaign, &r.bought} },
		func(r row) { s.counts[r.pair].bought = r.bought },
		`SELECT customer_id, campaign_id, bought FROM campaign_customers WHERE (customer_id, campaign_id) IN (VALUES `+
			text.String()+`) AND store_id = $`+strconv.Itoa(len(args)), args...)
}

func (s *sale) writeCounts() error {
	var rows [][]any
	for p, c := range s.counts {
		if c.changed {
			rows = append(rows, []any{s.store.Key, p.customer, p.campaign, c.bought})
		}
	}
	return s.tx.Insert("campaign_customers", "store_id, customer_id, campaign_id, bought",
		"ON CONFLICT (store_id, customer_id, campaign_id) DO UPDATE SET bought = excluded.bought", rows...)
}

func lockSome(tx *db.Tx, storeKey int64, customerID string, couponIDs []string) ([]Purchase, error) {
	list, args := db.In([]any{storeKey, customerID}, couponIDs...)
	return db.All(tx, (*Purchase).row, `SELECT `+columns+` FROM purchases
		WHERE store_id = $1 AND customer_id = $2 AND coupon_id IN `+list+` ORDER BY coupon_id FOR UPDATE`, args...)
}

var (
	purchaseKeys = []db.Column{
		{Name: "store_id", Type: "BIGINT"}, {Name: "customer_id", Type: "TEXT"}, {Name: "coupon_id", Type: "TEXT"},
	}
	purchaseUse = []db.Column{
		{Name: "status", Type: "TEXT"}, {Name: "used", Type: "BOOLEAN"}, {Name: "used_at", Type: "BIGINT"},
		{Name: "delivery_status", Type: "TEXT"}, {Name: "used_for_transaction_id", Type: "TEXT"},
	}
)

func saveUse(tx *db.Tx, purchases []*Purchase) error {
	rows := make([][]any, len(purchases))
	for i, p := range purchases {
		rows[i] = []any{
			p.StoreKey, p.CustomerID, p.CouponID,
			p.Status, p.Used, db.Time(&p.UsedAt), p.DeliveryStatus, p.UsedForTransactionID,
		}
	}
	return tx.Update("purchases", purchaseKeys, purchaseUse, rows...)
}

// sortableOwn are the sort names of one customer's purchases (reference-behaviour 8).
var sortableOwn = map[string]string{
	"purchaseAt": "purchased_at", "costInPoints": "cost", "campaignId": "campaign_id", "coupon": "code",
	"couponId": "coupon_id", "used": "used", "reward": "reward", "status": "status", "activeSince": "active_since",
	"activeTo": "active_to", "transactionId": "transaction_id", "usedForTransactionId": "used_for_transaction_id",
	"returnedAmount": "returned_amount", "deliveryStatus": "delivery_status", "usageDate": "used_at",
}

// ownPage lists one customer's purchases; without cashback for himself.
func ownPage(tx *db.Tx, storeKey int64, customerID string, withCashback bool, order string, limit, offset int) (
	found []Purchase, total int64, err error) {
	where := ` FROM purchases WHERE store_id = $1 AND customer_id = $2`
	if !withCashback {
		where += ` AND reward <> 'cashback'`
	}
	if total, err = db.Value[int64](tx, `SELECT COUNT(*)`+where, storeKey, customerID); err != nil || total == 0 {
		return nil, total, err
	}
	found, err = db.All(tx, (*Purchase).row, `SELECT `+columns+where+` ORDER BY `+order+` LIMIT $3 OFFSET $4`,
		storeKey, customerID, limit, offset)
	return found, total, err
}

// sortableAll are the sort names of the administrator's list.
var sortableAll = map[string]string{
	"campaignId": "campaign_id", "customerId": "customer_id", "purchasedAt": "purchased_at", "coupon": "code",
	"couponId": "coupon_id", "campaignType": "reward", "campaignName": "campaign_name",
	"customerEmail": "customer_email", "customerPhone": "customer_phone", "customerName": "customer_name",
	"customerLastname": "customer_lastname", "costInPoints": "price", "currentPointsAmount": "points_before",
	"taxPriceValue": "tax_price", "used": "used", "status": "status", "activeSince": "active_since",
	"activeTo": "active_to", "transactionId": "transaction_id", "usedForTransactionId": "used_for_transaction_id",
	"returnedAmount": "returned_amount", "deliveryStatus": "delivery_status", "usageDate": "used_at",
}

// allPage lists a store's purchases.
func allPage(tx *db.Tx, storeKey int64, order string, limit, offset int) ([]Purchase, error) {
	return db.All(tx, (*Purchase).row, `SELECT `+columns+` FROM purchases
		WHERE store_id = $1 ORDER BY `+order+` LIMIT $2 OFFSET $3`, storeKey, limit, offset)
}

// offer is a campaign in the availability list of a customer.
type offer struct {
	campaignID string
	mine       int64
}

func (o *offer) row() []any { return []any{&o.campaignID, &o.mine} }

// offers lists the campaigns that a customer may see and that have something left for him
// (reference-behaviour 7.2).
func offers(tx *db.Tx, storeKey int64, customerID string, targets []string, order string, limit, offset int) (
	found []offer, total int64, err error) {
	args := []any{storeKey, customerID, tx.Now.UnixMicro()}
	targeted := ""
	if targets != nil {
		var list string
		list, args = db.In(args, append(targets, "")...)
		targeted = ` AND EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id
			AND t.target_id IN ` + list + ` AND t.campaign_id = c.campaign_id)`
	}
	from := ` FROM campaigns c
		JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id
		LEFT JOIN campaign_customers m
			ON m.store_id = c.store_id AND m.customer_id = $2 AND m.campaign_id = c.campaign_id
		WHERE c.store_id = $1 AND c.active AND c.reward <> 'percentage_discount_code'
		AND (c.all_time_visible OR (c.visible_from <= $3 AND c.visible_to >= $3))
		AND (c.single_coupon OR k.next_position <= k.last_position)
		AND (c.unlimited OR (k.sold < c.usage_limit AND COALESCE(m.bought, 0) < c.limit_per_user))` + targeted
	if total, err = db.Value[int64](tx, `SELECT COUNT(*)`+from, args...); err != nil || total == 0 {
		return nil, total, err
	}
	page := ` ORDER BY ` + order + ` LIMIT $` + strconv.Itoa(len(args)+1) + ` OFFSET $` + strconv.Itoa(len(args)+2)
	found, err = db.All(tx, (*offer).row, `SELECT c.campaign_id, COALESCE(m.bought, 0)`+from+page,
		append(args, limit, offset)...)
	return found, total, err
}

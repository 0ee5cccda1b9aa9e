package purchase

import (
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

const columns = "store_id, coupon_id, customer_id, campaign_id, position, code, status, used, " +
	"purchased_at, active_since, active_to, used_at, cost, price, points_before, spend_id, reward, campaign_name, " +
	"delivery_status, transaction_id, used_for_transaction_id, used_pos_id, returned_amount, tax_price, " +
	"customer_email, customer_phone, customer_name, customer_lastname, shipping_address, level_id, used_level_id, " +
	"receipt_pos_id, receipt_sales, held_until, held_by"

func (p *Purchase) row() []any {
	return []any{
		&p.StoreKey, &p.CouponID, &p.CustomerID, &p.CampaignID, &p.Position, &p.Code, &p.Status, &p.Used,
		db.Time(&p.PurchasedAt), db.Time(&p.ActiveSince), db.Time(&p.ActiveTo), db.Time(&p.UsedAt),
		&p.Cost, &p.Price, &p.PointsBefore, &p.SpendID, &p.Reward, &p.CampaignName, &p.DeliveryStatus,
		&p.TransactionID, &p.UsedForTransactionID, &p.UsedPOSID, &p.ReturnedAmount, &p.TaxPrice, &p.Email, &p.Phone,
		&p.FirstName, &p.LastName, &p.ShippingAddress, &p.LevelID, &p.UsedLevelID, &p.ReceiptPOSID, &p.ReceiptSales,
		db.Time(&p.HeldUntil), &p.HeldBy,
	}
}

func insertPurchases(tx *db.Tx, s *store.Store, purchases []*Purchase) error {
	rows := make([][]any, len(purchases))
	for i, p := range purchases {
		rows[i] = p.row()
		p.count(tx, s, 1)
		points.MoveInLists(tx, p.StoreKey, p.CustomerID)
	}
	if err := tx.Insert("purchases", columns, "", rows...); err != nil {
		return err
	}
	return addPositions(tx, purchases)
}

// lockSome locks purchases in the order of their ids, which prevents deadlocks.
func lockSome(tx *db.Tx, storeKey int64, couponIDs []string) ([]Purchase, error) {
	return db.All(tx, (*Purchase).row, `SELECT `+columns+` FROM ? AS v (store, id) CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.coupon_id = v.id
		ORDER BY p.coupon_id FOR UPDATE OF p`, tx.Among(storeKey, db.Distinct(couponIDs)...))
}

var (
	purchaseKeys = []db.Column{{Name: "store_id", Type: "BIGINT"}, {Name: "coupon_id", Type: "TEXT"}}
	purchaseUse  = []db.Column{
		{Name: "status", Type: "TEXT"}, {Name: "used", Type: "BOOLEAN"}, {Name: "used_at", Type: "BIGINT"},
		{Name: "delivery_status", Type: "TEXT"}, {Name: "used_for_transaction_id", Type: "TEXT"},
		{Name: "used_pos_id", Type: "TEXT"},
		{Name: "returned_amount", Type: "BIGINT"}, {Name: "used_level_id", Type: "TEXT"},
		{Name: "receipt_pos_id", Type: "TEXT"}, {Name: "receipt_sales", Type: "BIGINT"},
	}
)

func saveUse(tx *db.Tx, purchases []*Purchase) error {
	rows := make([][]any, len(purchases))
	for i, p := range purchases {
		points.MoveInLists(tx, p.StoreKey, p.CustomerID)
		rows[i] = []any{
			p.StoreKey, p.CouponID,
			p.Status, p.Used, db.Time(&p.UsedAt), p.DeliveryStatus, p.UsedForTransactionID, p.UsedPOSID,
			p.ReturnedAmount, p.UsedLevelID, p.ReceiptPOSID, p.ReceiptSales,
		}
	}
	return tx.Update("purchases", purchaseKeys, purchaseUse, rows...)
}

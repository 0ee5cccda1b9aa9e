package purchase

import (
	"punchcard/core/store"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

var table = db.NewTable("purchases", "store_id, coupon_id", func(p *Purchase) db.Row {
	return db.Row{
		"store_id", &p.StoreKey, "coupon_id", &p.CouponID, "customer_id", &p.CustomerID, "campaign_id", &p.CampaignID,
		"position", &p.Position, "code", &p.Code, "status", &p.Status, "used", &p.Used,
		"purchased_at", db.Time(&p.PurchasedAt), "active_since", db.Time(&p.ActiveSince),
		"active_to", db.Time(&p.ActiveTo), "used_at", db.Time(&p.UsedAt), "cost", &p.Cost, "price", &p.Price,
		"points_before", &p.PointsBefore, "spend_id", &p.SpendID, "reward", &p.Reward, "campaign_name", &p.CampaignName,
		"delivery_status", &p.DeliveryStatus, "transaction_id", &p.TransactionID,
		"used_for_transaction_id", &p.UsedForTransactionID, "used_pos_id", &p.UsedPOSID,
		"returned_amount", &p.ReturnedAmount, "tax_price", &p.TaxPrice, "customer_email", &p.Email,
		"customer_phone", &p.Phone, "customer_name", &p.FirstName, "customer_lastname", &p.LastName,
		"shipping_address", &p.ShippingAddress, "level_id", &p.LevelID, "used_level_id", &p.UsedLevelID,
		"receipt_pos_id", &p.ReceiptPOSID, "receipt_sales", &p.ReceiptSales, "held_until", db.Time(&p.HeldUntil),
		"held_by", &p.HeldBy,
	}
})

func insertPurchases(tx *db.Tx, s *store.Store, purchases []*Purchase) error {
	for _, p := range purchases {
		p.count(tx, s, 1)
		points.MoveInLists(tx, p.StoreKey, p.CustomerID)
	}
	if err := table.Insert(tx, purchases...); err != nil {
		return err
	}
	return addPositions(tx, purchases)
}

// lockSome locks purchases in the order of their ids, which prevents deadlocks.
func lockSome(tx *db.Tx, storeKey int64, couponIDs []string) ([]Purchase, error) {
	return table.All(tx, `SELECT p.* FROM ? AS v (store, id) CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.coupon_id = v.id
		ORDER BY p.coupon_id FOR UPDATE OF p`, tx.Among(storeKey, db.Distinct(couponIDs)...))
}

func saveUse(tx *db.Tx, purchases []*Purchase) error {
	for _, p := range purchases {
		points.MoveInLists(tx, p.StoreKey, p.CustomerID)
	}
	return table.Update(tx, "status, used, used_at, delivery_status, used_for_transaction_id, used_pos_id, "+
		"returned_amount, used_level_id, receipt_pos_id, receipt_sales", purchases...)
}

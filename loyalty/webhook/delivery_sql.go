package webhook

import "punchcard/platform/db"

// insertDeliveries adds deliveries. Existing finished ones start again, and unfinished ones are left
// unchanged.
func insertDeliveries(tx *db.Tx, added []Delivery) error {
	return deliveries.InsertOr(tx, `ON CONFLICT (store_id, subscription_id, event_id)
		DO UPDATE SET state = excluded.state, attempts = 0, due_at = excluded.due_at, attempted_at = NULL, status = 0,
			error = '', finished_at = NULL
		WHERE webhook_deliveries.finished_at IS NOT NULL`, db.Pointers(added)...)
}

func findDelivery(tx *db.Tx, s *Subscription, eventID int64) (Delivery, bool, error) {
	return deliveries.One(tx, `SELECT * FROM webhook_deliveries
		WHERE store_id = ? AND subscription_id = ? AND event_id = ?`, s.StoreKey, s.ID, eventID)
}

// deadOf returns the first dead deliveries of a subscription, in the order of their events.
func deadOf(tx *db.Tx, s *Subscription, limit int) ([]Delivery, error) {
	return deliveries.All(tx, `SELECT * FROM webhook_deliveries
		WHERE store_id = ? AND subscription_id = ? AND state = '`+Dead+`' ORDER BY event_id LIMIT ?`,
		s.StoreKey, s.ID, limit)
}

// openAggregates returns those of the aggregates that have an unfinished delivery.
func openAggregates(tx *db.Tx, s *Subscription, aggregates []string) ([]string, error) {
	return db.AllValues[string](tx, `SELECT DISTINCT d.aggregate_id
		FROM ? AS v (store, id)
		CROSS JOIN webhook_deliveries d WHERE d.store_id = v.store AND d.subscription_id = ?
			AND d.aggregate_id = v.id AND d.finished_at IS NULL`, tx.Among(s.StoreKey, aggregates...), s.ID)
}

// countOpen returns the number of unfinished deliveries of a subscription, up to the limit.
func countOpen(tx *db.Tx, s *Subscription, limit int) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM webhook_deliveries
		WHERE store_id = ? AND subscription_id = ? AND finished_at IS NULL LIMIT ?) AS listed`, s.StoreKey, s.ID, limit)
}

// openAmong returns the ids of the events in a range whose deliveries are unfinished.
func openAmong(tx *db.Tx, s *Subscription, from, to int64) ([]int64, error) {
	return db.AllValues[int64](tx, `SELECT event_id FROM webhook_deliveries
		WHERE store_id = ? AND subscription_id = ? AND event_id >= ? AND event_id <= ? AND finished_at IS NULL`,
		s.StoreKey, s.ID, from, to)
}

// subscriptionsDue returns the active subscriptions that have a delivery due.
func subscriptionsDue(tx *db.Tx) ([]Subscription, error) {
	return table.All(tx, `SELECT * FROM webhook_subscriptions s
		WHERE s.active AND NOT s.deleted AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.store_id = s.store_id
			AND d.subscription_id = s.subscription_id AND d.due_at <= ?)
		ORDER BY s.store_id, s.subscription_id`, tx.ServerNow().UnixMicro())
}

// promote makes the first unfinished delivery of an aggregate pending.
func promote(tx *db.Tx, s *Subscription, aggregateID string) error {
	_, err := tx.Exec(`UPDATE webhook_deliveries SET state = '`+Pending+`', due_at = ?
		WHERE store_id = ? AND subscription_id = ? AND event_id = (SELECT MIN(event_id) FROM webhook_deliveries
			WHERE store_id = ? AND subscription_id = ? AND aggregate_id = ? AND finished_at IS NULL)`,
		tx.ServerNow().UnixMicro(), s.StoreKey, s.ID, s.StoreKey, s.ID, aggregateID)
	return err
}

// removeOf deletes at most limit deliveries of a subscription.
func removeOf(tx *db.Tx, s *Subscription, limit int) (int64, error) {
	return tx.DeleteSome("webhook_deliveries", "store_id, subscription_id, event_id",
		db.NewSQL("store_id = ? AND subscription_id = ? ORDER BY event_id", s.StoreKey, s.ID), limit)
}

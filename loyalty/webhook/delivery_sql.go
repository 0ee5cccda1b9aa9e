package webhook

import (
	"time"

	"punchcard/platform/db"
)

// CountLimit is the highest total that the list of deliveries returns. There may be more deliveries.
const CountLimit = 10_000

const deliveryColumns = "store_id, subscription_id, event_id, aggregate_id, type, state, attempts, created_at, " +
	"due_at, attempted_at, status, error, finished_at"

func (d *Delivery) row() []any {
	return []any{
		&d.StoreKey, &d.SubscriptionID, &d.EventID, &d.AggregateID, &d.Type, &d.State, &d.Attempts,
		db.Time(&d.CreatedAt), db.Time(&d.DueAt), db.Time(&d.AttemptedAt), &d.Status, &d.Error, db.Time(&d.FinishedAt),
	}
}

// insertDeliveries adds deliveries. Existing finished ones start again, and unfinished ones are left
// unchanged.
func insertDeliveries(tx *db.Tx, deliveries []Delivery) error {
	rows := make([][]any, len(deliveries))
	for i := range deliveries {
		rows[i] = deliveries[i].row()
	}
	return tx.Insert("webhook_deliveries", deliveryColumns, `ON CONFLICT (store_id, subscription_id, event_id)
		DO UPDATE SET state = excluded.state, attempts = 0, due_at = excluded.due_at, attempted_at = NULL, status = 0,
			error = '', finished_at = NULL
		WHERE webhook_deliveries.finished_at IS NOT NULL`, rows...)
}

// openAggregates returns those of the aggregates that have an unfinished delivery.
func openAggregates(tx *db.Tx, s *Subscription, aggregates []string) ([]string, error) {
	wanted, args := tx.Among([]any{s.StoreKey, s.ID}, aggregates...)
	return db.All(tx, func(id *string) []any { return []any{id} }, `SELECT DISTINCT d.aggregate_id FROM `+wanted+`
		CROSS JOIN webhook_deliveries d WHERE d.store_id = v.store AND d.subscription_id = $2
			AND d.aggregate_id = v.column1 AND d.finished_at IS NULL`, args...)
}

// countOpen returns the number of unfinished deliveries of a subscription, up to the limit.
func countOpen(tx *db.Tx, s *Subscription, limit int) (int, error) {
	return db.Value[int](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM webhook_deliveries
		WHERE store_id = $1 AND subscription_id = $2 AND finished_at IS NULL LIMIT $3) AS listed`, s.StoreKey, s.ID, limit)
}

// CountPending counts the pending deliveries of all stores, up to CountLimit.
func CountPending(tx *db.Tx) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM webhook_deliveries WHERE due_at IS NOT NULL
		LIMIT $1) AS listed`, CountLimit)
}

// openAmong returns the ids of the events in a range whose deliveries are unfinished.
func openAmong(tx *db.Tx, s *Subscription, from, to int64) ([]int64, error) {
	return db.All(tx, func(id *int64) []any { return []any{id} }, `SELECT event_id FROM webhook_deliveries
		WHERE store_id = $1 AND subscription_id = $2 AND event_id >= $3 AND event_id <= $4 AND finished_at IS NULL`,
		s.StoreKey, s.ID, from, to)
}

// subscriptionsDue returns the active subscriptions that have a delivery due.
func subscriptionsDue(tx *db.Tx) ([]Subscription, error) {
	return db.All(tx, (*Subscription).row, `SELECT `+columns+` FROM webhook_subscriptions s
		WHERE s.active AND NOT s.deleted AND EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.store_id = s.store_id
			AND d.subscription_id = s.subscription_id AND d.due_at <= $1)
		ORDER BY s.store_id, s.subscription_id`, tx.ServerNow().UnixMicro())
}

// due returns deliveries of a subscription that are due, those due longest first.
func due(tx *db.Tx, s *Subscription, limit int) ([]Delivery, error) {
	return db.All(tx, (*Delivery).row, `SELECT `+deliveryColumns+` FROM webhook_deliveries
		WHERE store_id = $1 AND subscription_id = $2 AND due_at <= $3 ORDER BY due_at LIMIT $4`,
		s.StoreKey, s.ID, tx.ServerNow().UnixMicro(), limit)
}

func findDelivery(tx *db.Tx, s *Subscription, eventID int64) (Delivery, bool, error) {
	return db.One(tx, (*Delivery).row, `SELECT `+deliveryColumns+` FROM webhook_deliveries
		WHERE store_id = $1 AND subscription_id = $2 AND event_id = $3`, s.StoreKey, s.ID, eventID)
}

// updateDelivery stores the state and the last attempt of a delivery.
func updateDelivery(tx *db.Tx, d *Delivery) error {
	_, err := tx.Exec(`UPDATE webhook_deliveries SET state = $4, attempts = $5, due_at = $6, attempted_at = $7,
		status = $8, error = $9, finished_at = $10 WHERE store_id = $1 AND subscription_id = $2 AND event_id = $3`,
		d.StoreKey, d.SubscriptionID, d.EventID, d.State, d.Attempts, db.Time(&d.DueAt), db.Time(&d.AttemptedAt),
		d.Status, d.Error, db.Time(&d.FinishedAt))
	return err
}

// promote makes the first unfinished delivery of an aggregate pending.
func promote(tx *db.Tx, s *Subscription, aggregateID string) error {
	_, err := tx.Exec(`UPDATE webhook_deliveries SET state = '`+Pending+`', due_at = $4
		WHERE store_id = $1 AND subscription_id = $2 AND event_id = (SELECT MIN(event_id) FROM webhook_deliveries
			WHERE store_id = $1 AND subscription_id = $2 AND aggregate_id = $3 AND finished_at IS NULL)`,
		s.StoreKey, s.ID, aggregateID, tx.ServerNow().UnixMicro())
	return err
}

// deliveries returns a page of a subscription's deliveries, the newest event first. An empty state
// means all. total stops counting at CountLimit.
func deliveries(tx *db.Tx, s *Subscription, state string, limit, offset int) (
	found []Delivery, total int, err error) {
	from, args := ` FROM webhook_deliveries WHERE store_id = $1 AND subscription_id = $2`, []any{s.StoreKey, s.ID}
	if state != "" {
		from, args = from+` AND state = $5`, append(args, limit, offset, state)
	} else {
		args = append(args, limit, offset)
	}
	found, err = db.All(tx, (*Delivery).row,
		`SELECT `+deliveryColumns+from+` ORDER BY event_id DESC LIMIT $3 OFFSET $4`, args...)
	if err != nil {
		return nil, 0, err
	}
	args[2], args[3] = CountLimit, 0
	total, err = db.Value[int](tx,
		`SELECT COUNT(*) FROM (SELECT 1`+from+` ORDER BY event_id DESC LIMIT $3 OFFSET $4) AS listed`, args...)
	return found, total, err
}

// removeFinished deletes at most limit deliveries that finished before a time, the oldest first.
func removeFinished(tx *db.Tx, before time.Time, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM webhook_deliveries WHERE (store_id, subscription_id, event_id) IN (
		SELECT store_id, subscription_id, event_id FROM webhook_deliveries WHERE finished_at < $1
		ORDER BY finished_at LIMIT $2)`, before.UnixMicro(), limit)
}

// removeOf deletes at most limit deliveries of a subscription.
func removeOf(tx *db.Tx, s *Subscription, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM webhook_deliveries WHERE (store_id, subscription_id, event_id) IN (
		SELECT store_id, subscription_id, event_id FROM webhook_deliveries WHERE store_id = $1 AND subscription_id = $2
		ORDER BY event_id LIMIT $3)`, s.StoreKey, s.ID, limit)
}

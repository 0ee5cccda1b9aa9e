package checkout

import (
	"context"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

var table = db.NewTable("reservations", "store_id, reservation_id", func(r *reservation) db.Row {
	return db.Row{
		"store_id", &r.StoreKey, "reservation_id", &r.ID, "customer_id", &r.CustomerID, "caller_id", &r.CallerID,
		"pos_id", &r.POSID, "state", &r.State, "created_at", db.Time(&r.CreatedAt), "expires_at", db.Time(&r.ExpiresAt),
		"ended_at", db.Time(&r.EndedAt), "document_number", &r.DocumentNumber, "transaction_id", &r.TransactionID,
		"basket", db.JSON(&r.Basket), "checkout", &r.Checkout, "outcome", db.JSON(&r.Outcome),
	}
})

func (r *reservation) insert(tx *db.Tx) error {
	return table.Insert(tx, r)
}

// findReservation reads a reservation. ending may lock it.
func findReservation(tx *db.Tx, storeKey int64, id, ending string) (*reservation, error) {
	r, found, err := table.One(tx, `SELECT * FROM reservations
		WHERE store_id = ? AND reservation_id = ?`+ending, storeKey, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return &r, err
}

// lockReservations reads the reservations of calls and locks them in the order of their ids, which prevents deadlocks.
func lockReservations(tx *db.Tx, storeKey int64, calls []*asked) ([]*confirming, error) {
	ids := make([]string, len(calls))
	for i, a := range calls {
		ids[i] = a.In.reservationID
	}
	found := make(map[string]*reservation, len(calls))
	err := table.Each(tx, func(r reservation) { found[r.ID] = &r }, `SELECT *
		FROM ? AS v (store, id) CROSS JOIN reservations r WHERE r.store_id = v.store AND r.reservation_id = v.id
		ORDER BY r.reservation_id FOR UPDATE OF r`, tx.Among(storeKey, db.Distinct(ids)...))
	all := make([]*confirming, len(calls))
	for i, a := range calls {
		all[i] = &confirming{asked: a, reservation: found[a.In.reservationID]}
	}
	return all, err
}

// saveEnds stores the ends of locked reservations.
func saveEnds(tx *db.Tx, ended ...*reservation) error {
	return table.Update(tx, "state, ended_at, document_number, transaction_id, outcome", ended...)
}

// saveEnd stores until when a locked reservation lasts.
func saveEnd(tx *db.Tx, r *reservation) error {
	return table.Update(tx, "expires_at", r)
}

// HasOpen returns whether a store has open reservations.
func HasOpen(tx *db.Tx, storeKey int64) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM (SELECT 1 FROM reservations WHERE store_id = ?
		AND state = 'reserved' AND expires_at > ? LIMIT 1) AS found`, storeKey, tx.Now().UnixMicro())
	return n > 0, err
}

// openOf returns the number of open reservations that a caller made.
func openOf(tx *db.Tx, storeKey int64, callerID string) (int64, error) {
	return db.Value[int64](tx, `SELECT COUNT(*) FROM reservations WHERE store_id = ? AND caller_id = ?
		AND state = 'reserved' AND expires_at > ?`, storeKey, callerID, tx.Now().UnixMicro())
}

// reservationsOf returns a page of the reservations of a customer, newest first, and their number.
func reservationsOf(tx *db.Tx, storeKey int64, customerID string, page api.Page) ([]reservation, int64, error) {
	total, err := db.Value[int64](tx, `SELECT COUNT(*) FROM reservations
		WHERE store_id = ? AND customer_id = ? AND customer_id <> ''`, storeKey, customerID)
	if err != nil || total == 0 {
		return nil, 0, err
	}
	found, err := table.All(tx, `SELECT * FROM reservations
		WHERE store_id = ? AND customer_id = ? AND customer_id <> ''
		ORDER BY reservation_id DESC LIMIT ? OFFSET ?`, storeKey, customerID, page.Limit, page.Offset)
	return found, total, err
}

const exportedAtOnce = 100

// Export returns a page of the reservations of a customer for the personal data export.
func Export(tx *db.Tx, s *store.Store, customerID, after string) (items []any, next string, err error) {
	found, err := table.All(tx, `SELECT * FROM reservations
		WHERE store_id = ? AND customer_id = ? AND customer_id <> '' AND reservation_id > ?
		ORDER BY reservation_id LIMIT ?`, s.Key, customerID, after, exportedAtOnce)
	if err != nil {
		return nil, "", err
	}
	for i := range found {
		item, err := found[i].encoded(s, tx.Now())
		if err != nil {
			return nil, "", err
		}
		items = append(items, item)
	}
	if len(found) == exportedAtOnce {
		next = found[exportedAtOnce-1].ID
	}
	return items, next, nil
}

// Retention is how long reservations are stored after their end.
const Retention = 90 * 24 * time.Hour

// forgetEnded is the job that deletes reservations some time after their end, and what they kept of campaigns. Nothing
// depends on it: what a reservation keeps ends with its time.
func forgetEnded(ctx context.Context, d *db.DB, s *store.Store) (deleted int64, err error) {
	const atOnce = 1_000
	steps := []func(tx *db.Tx) (int64, error){
		func(tx *db.Tx) (int64, error) { return campaign.DeleteHolds(tx, s.Key, tx.Now(), atOnce) },
		func(tx *db.Tx) (int64, error) {
			return tx.DeleteSome("reservations", "store_id, reservation_id", db.NewSQL(
				`store_id = ? AND expires_at < ? ORDER BY expires_at`, s.Key, tx.Now().Add(-Retention).UnixMicro()), atOnce)
		},
	}
	for _, step := range steps {
		for n := int64(atOnce); n == atOnce && err == nil && ctx.Err() == nil; deleted += n {
			err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
				n, err = step(tx)
				return err
			})
		}
	}
	return deleted, err
}

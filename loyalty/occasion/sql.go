package occasion

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// progress is how far an occasion of a store has been handled.
type progress struct {
	Through string // the last day that is complete, YYYY-MM-DD
	After   string // the key after which the next day continues
}

func (p *progress) row() []any { return []any{&p.Through, &p.After} }

func findProgress(tx *db.Tx, storeKey int64, event, lock string) (progress, bool, error) {
	return db.One(tx, (*progress).row, `SELECT through, after_key FROM occasion_progress
		WHERE store_id = ? AND event = ?`+lock, storeKey, event)
}

// replace stores the next progress. moved is false if the present one is not p any more.
func (p progress) replace(tx *db.Tx, storeKey int64, event string, next progress) (moved bool, err error) {
	now, found, err := findProgress(tx, storeKey, event, " FOR UPDATE")
	if err != nil || now != p {
		return false, err
	}
	if !found {
		return tx.InsertNew("occasion_progress", "store_id, event, through, after_key",
			[]any{storeKey, event, next.Through, next.After})
	}
	_, err = tx.Exec(`UPDATE occasion_progress SET through = ?, after_key = ? WHERE store_id = ? AND event = ?`,
		next.Through, next.After, storeKey, event)
	return err == nil, err
}

// lastDays returns the days of the last messages to distinct customers, by id.
func lastDays(tx *db.Tx, storeKey int64, event string, customerIDs []string) (map[string]int64, error) {
	type row struct {
		id  string
		day int64
	}
	days := map[string]int64{}
	if len(customerIDs) == 0 {
		return days, nil
	}
	return days, db.Each(tx, func(r *row) []any { return []any{&r.id, &r.day} }, func(r row) { days[r.id] = r.day },
		`SELECT o.customer_id, o.day FROM ? AS v (store, id) CROSS JOIN occasion_messages o
		WHERE o.store_id = v.store AND o.event = ? AND o.customer_id = v.id`, tx.Among(storeKey, customerIDs...), event)
}

func record(tx *db.Tx, rows [][]any) error {
	return tx.Insert("occasion_messages", "store_id, event, customer_id, day",
		"ON CONFLICT (store_id, event, customer_id) DO UPDATE SET day = excluded.day", rows...)
}

// Forget deletes when a customer got messages. It needs only one step.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	for _, k := range kinds {
		_, err := tx.Exec(`DELETE FROM occasion_messages WHERE store_id = ? AND event = ? AND customer_id = ?`,
			s.Key, k.event, customerID)
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

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

// storedProgress is a row of occasion_progress.
type storedProgress struct {
	storeKey int64
	event    string
	progress
}

var progressTable = db.NewTable("occasion_progress", "store_id, event", func(p *storedProgress) db.Row {
	return db.Row{"store_id", &p.storeKey, "event", &p.event, "through", &p.Through, "after_key", &p.After}
})

// sent is the last message of an occasion to a customer.
type sent struct {
	storeKey          int64
	event, customerID string
	day               int64
}

var sentTable = db.NewTable("occasion_messages", "store_id, event, customer_id", func(s *sent) db.Row {
	return db.Row{"store_id", &s.storeKey, "event", &s.event, "customer_id", &s.customerID, "day", &s.day}
})

func findProgress(tx *db.Tx, storeKey int64, event, lock string) (progress, bool, error) {
	p, found, err := progressTable.One(tx, `SELECT through, after_key FROM occasion_progress
		WHERE store_id = ? AND event = ?`+lock, storeKey, event)
	return p.progress, found, err
}

// replace stores the next progress. moved is false if the present one is not p any more.
func (p progress) replace(tx *db.Tx, storeKey int64, event string, next progress) (moved bool, err error) {
	now, found, err := findProgress(tx, storeKey, event, " FOR UPDATE")
	if err != nil || now != p {
		return false, err
	}
	stored := &storedProgress{storeKey, event, next}
	if !found {
		return progressTable.InsertNew(tx, stored)
	}
	return true, progressTable.Update(tx, "through, after_key", stored)
}

// lastDays returns the days of the last messages to distinct customers, by id.
func lastDays(tx *db.Tx, storeKey int64, event string, customerIDs []string) (map[string]int64, error) {
	days := map[string]int64{}
	if len(customerIDs) == 0 {
		return days, nil
	}
	return days, sentTable.Each(tx, func(s sent) { days[s.customerID] = s.day },
		`SELECT o.customer_id, o.day FROM ? AS v (store, id) CROSS JOIN occasion_messages o
		WHERE o.store_id = v.store AND o.event = ? AND o.customer_id = v.id`, tx.Among(storeKey, customerIDs...), event)
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

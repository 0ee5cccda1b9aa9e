package message

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// forgottenAtOnce is how many messages one step of Forget deletes.
const forgottenAtOnce = 500

// Forget deletes a page of the messages to a customer, and what is known about their addresses. It is a
// privacy.Trace.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	found, err := Of(tx, s.Key, customerID, "", forgottenAtOnce)
	if err != nil || len(found) == 0 {
		return "", err
	}
	addresses := []string{customerID}
	for i := range found {
		addresses = append(addresses, found[i].Address)
	}
	addresses = db.Distinct(addresses)
	if err := deliverable(tx, s.Key, addresses...); err != nil {
		return "", err
	}
	q := db.NewSQL(`DELETE FROM message_hours WHERE store_id = ?`, s.Key).And(`address IN ?`, db.List(addresses))
	if _, err := tx.Exec(q.Text(), q.Args()...); err != nil {
		return "", err
	}
	n, err := tx.DeleteSome("messages", "store_id, queue, message_id",
		db.NewSQL("store_id = ? AND recipient_id = ? ORDER BY message_id DESC", s.Key, customerID), forgottenAtOnce)
	if n == forgottenAtOnce {
		next = customerID
	}
	return next, err
}

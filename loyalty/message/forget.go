package message

import (
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

// forgottenAtOnce is how many messages one step of Forget deletes.
const forgottenAtOnce = 1000

// Forget deletes a page of the messages to a customer. It is a privacy.Trace.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	n, err := tx.DeleteSome("messages", "store_id, queue, message_id",
		db.NewSQL("store_id = ? AND recipient_id = ? ORDER BY message_id", s.Key, customerID), forgottenAtOnce)
	if n == forgottenAtOnce {
		next = customerID
	}
	return next, err
}

package bulk

import (
	"punchcard/core/store"
	"punchcard/platform/db"
)

// Forget clears the comments of actions that gave a customer points or took some, because people write them. It goes
// from the newest action to the oldest, some at a time, and continues before the action next, or with the newest one if
// next is empty. An action that is still running goes on without the comment.
func Forget(tx *db.Tx, s *store.Store, customerID, next string) (more string, err error) {
	found, err := table.All(tx, `SELECT * FROM bulk_actions a
		WHERE store_id = ? AND (? = '' OR action_id < ?) AND EXISTS (SELECT 1 FROM bulk_effects e
			WHERE e.store_id = a.store_id AND e.action_id = a.action_id AND e.customer_id = ?)
		ORDER BY action_id DESC LIMIT ?`, s.Key, next, next, customerID, forgottenAtOnce)
	for i := range found {
		a := &found[i]
		if err != nil || a.Details.Comment == "" {
			continue
		}
		a.Details.Comment = ""
		_, err = tx.Exec(`UPDATE bulk_actions SET details = ? WHERE store_id = ? AND action_id = ?`,
			db.JSON(&a.Details), s.Key, a.ID)
	}
	if len(found) == forgottenAtOnce {
		more = found[len(found)-1].ID
	}
	return more, err
}

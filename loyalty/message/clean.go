package message

import (
	"context"
	"time"

	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/db"
)

// rowsAtOnce is how many rows one transaction of a job changes, and the page size of an export.
const rowsAtOnce = 200

// Clean returns the job that gives up messages that could not be sent within their Lifetime, and deletes those
// that finished longer ago than keep, and what is known about addresses longer ago than UndeliverableTerm. It returns
// how many.
func Clean(d *db.DB, keep time.Duration) func(ctx context.Context) (int64, error) {
	steps := []func(tx *db.Tx) (int64, error){
		func(tx *db.Tx) (int64, error) { return giveUp(tx, tx.ServerNow().Add(-Lifetime), rowsAtOnce) },
		func(tx *db.Tx) (int64, error) {
			return table.RemoveFinished(tx, 0, tx.ServerNow().Add(-keep), rowsAtOnce)
		},
		func(tx *db.Tx) (int64, error) {
			return tx.DeleteSome("message_hours", "store_id, address",
				db.NewSQL("hour < ?", hourOf(tx.ServerNow())), rowsAtOnce)
		},
		func(tx *db.Tx) (int64, error) { return removeEnded(tx, "undeliverable_addresses", rowsAtOnce) },
		func(tx *db.Tx) (int64, error) { return removeEnded(tx, "refused_addresses", rowsAtOnce) },
	}
	return func(ctx context.Context) (total int64, err error) {
		for _, step := range steps {
			for n := int64(rowsAtOnce); n == rowsAtOnce && err == nil && ctx.Err() == nil; {
				err = d.Write(ctx, func(tx *db.Tx) (err error) {
					n, err = step(tx)
					return err
				})
				total += n
			}
		}
		return total, err
	}
}

// Export returns a page of the messages to a customer for the personal data export, the newest first.
func Export(tx *db.Tx, s *store.Store, customerID, behind string) (items []any, next string, err error) {
	found, err := Of(tx, s.Key, customerID, behind, rowsAtOnce)
	for i := range found {
		items = append(items, newView(s, &found[i]).shownTo(nobody))
	}
	if len(found) == rowsAtOnce {
		next = found[rowsAtOnce-1].ID
	}
	return items, next, err
}

// Rules returns the consistency rules of messages: their states and queues, and that those hold no values that are
// not sent again.
func Rules() []check.Rule {
	return []check.Rule{
		check.Rows("message.state", `SELECT store_id, message_id, state, 'a known state' FROM messages
			WHERE state NOT IN ('waiting', 'sent', 'dropped', 'dead')
				OR (state = 'waiting') <> (due_at IS NOT NULL) OR (state = 'waiting') = (finished_at IS NOT NULL)`),
		check.Rows("message.queue", `SELECT store_id, message_id, queue, 'a known queue' FROM messages
			WHERE queue NOT IN ('email', 'sms', 'push', 'browser', 'email_marketing', 'sms_marketing', 'push_marketing',
				'browser_marketing', 'email_administrators', 'notifications')
				OR (queue = 'email_administrators') <> (role = 'ROLE_ADMIN' AND event <> 'test')`),
		check.Rows("message.erased", `SELECT store_id, message_id, details, 'null' FROM messages
			WHERE (state IN ('sent', 'dropped') OR state = 'dead' AND queue = 'notifications') AND details <> 'null'`),
	}
}

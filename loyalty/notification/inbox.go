package notification

import (
	"context"
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/message/template"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// removedAtOnce is how many notifications one transaction deletes, and the page size of an export.
const removedAtOnce = 200

// toInboxes adds notifications to the inboxes of customers, who must be locked.
func toInboxes(tx *db.Tx, storeKey int64, all []Notification) error {
	more := map[string]int64{}
	for i := range all {
		more[all[i].CustomerID]++
	}
	if err := table.Insert(tx, db.Pointers(all)...); err != nil {
		return err
	}
	return addToInboxes(tx, storeKey, more, more)
}

// Read marks one notification of a customer as read. Repeating it has no further effect.
func Read(tx *db.Tx, storeKey int64, customerID, id string) error {
	if err := markRead(tx, storeKey, customerID, id); err != nil {
		return err
	}
	found, err := exists(tx, storeKey, customerID, id)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	return err
}

// ReadAll marks all notifications of a customer as read.
func ReadAll(tx *db.Tx, storeKey int64, customerID string) error {
	return markRead(tx, storeKey, customerID, "")
}

func markRead(tx *db.Tx, storeKey int64, customerID, id string) error {
	inbox, err := inboxOf(tx, storeKey, customerID, " FOR UPDATE")
	if err != nil || inbox.Unread == 0 {
		return err
	}
	n, err := setRead(tx, storeKey, customerID, id)
	if err != nil || n == 0 {
		return err
	}
	return addToInboxes(tx, storeKey, map[string]int64{customerID: 0}, map[string]int64{customerID: -n})
}

// Clean is the job that deletes notifications of a store that are older than keep.
func Clean(keep time.Duration) store.Work {
	return func(ctx context.Context, d *db.DB, s *store.Store) (removed int64, err error) {
		for n := int64(removedAtOnce); n == removedAtOnce && err == nil && ctx.Err() == nil; removed += n {
			err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
				n, err = removeOld(tx, s, tx.Now().Add(-keep))
				return err
			})
		}
		return removed, err
	}
}

func removeOld(tx *db.Tx, s *store.Store, before time.Time) (int64, error) {
	keys, err := older(tx, s.Key, before, removedAtOnce)
	if err != nil || len(keys) == 0 {
		return 0, err
	}
	ids := make([]string, len(keys))
	for i := range keys {
		ids[i] = keys[i].CustomerID
	}
	if err := lockInboxes(tx, s.Key, db.Distinct(ids)); err != nil {
		return 0, err
	}
	return int64(len(keys)), removeNotifications(tx, s.Key, keys)
}

// Forget deletes the inbox of a customer, who must be locked. It needs only one step: an inbox is small.
func Forget(tx *db.Tx, s *store.Store, customerID, _ string) (next string, err error) {
	if err := lockInboxes(tx, s.Key, []string{customerID}); err != nil {
		return "", err
	}
	return "", removeInbox(tx, s.Key, customerID)
}

// Export returns a page of a customer's notifications for the personal data export, the oldest
// first.
func Export(tx *db.Tx, s *store.Store, customerID, behind string) (items []any, next string, err error) {
	found, err := after(tx, s.Key, customerID, behind, removedAtOnce)
	if err != nil {
		return nil, "", err
	}
	t, err := textsOf(tx, s, template.Inbox, api.Locale{Default: "en", Wanted: "en"}, found)
	if err != nil {
		return nil, "", err
	}
	for i := range found {
		items = append(items, newView(s, t, &found[i]))
	}
	if len(found) == removedAtOnce {
		next = found[removedAtOnce-1].ID
	}
	return items, next, err
}

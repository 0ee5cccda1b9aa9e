package notification

import (
	"maps"
	"slices"
	"time"

	"punchcard/platform/db"
)

var table = db.NewTable("notifications", "store_id, customer_id, notification_id", func(n *Notification) db.Row {
	return db.Row{
		"store_id", &n.StoreKey, "customer_id", &n.CustomerID, "notification_id", &n.ID, "kind", &n.Kind,
		"subject_id", &n.SubjectID, "details", db.JSON(&n.Details), "created_at", db.Time(&n.CreatedAt),
		"read_at", db.Time(&n.ReadAt),
	}
})

// Inbox counts the notifications of a customer.
type Inbox struct {
	storeKey      int64
	customerID    string
	Total, Unread int64
}

var inboxTable = db.NewTable("inboxes", "store_id, customer_id", func(i *Inbox) db.Row {
	return db.Row{"store_id", &i.storeKey, "customer_id", &i.customerID, "total", &i.Total, "unread", &i.Unread}
})

// inboxOf returns the counters of a customer's inbox, zero when the customer was never notified.
// ending is appended to the statement.
func inboxOf(tx *db.Tx, storeKey int64, customerID, ending string) (Inbox, error) {
	inbox, _, err := inboxTable.One(tx,
		`SELECT total, unread FROM inboxes WHERE store_id = ? AND customer_id = ?`+ending, storeKey, customerID)
	return inbox, err
}

// addToInboxes adds to the counters of customers, in the order of their ids.
func addToInboxes(tx *db.Tx, storeKey int64, total, unread map[string]int64) error {
	var rows []*Inbox
	for _, id := range slices.Sorted(maps.Keys(total)) {
		rows = append(rows, &Inbox{storeKey, id, total[id], unread[id]})
	}
	return inboxTable.InsertAdding(tx, rows...)
}

// readPage returns notifications of a customer, the newest first.
func readPage(tx *db.Tx, storeKey int64, customerID string, unread bool, limit, offset int) ([]Notification, error) {
	only := ""
	if unread {
		only = " AND read_at IS NULL"
	}
	return table.All(tx, `SELECT * FROM notifications
		WHERE store_id = ? AND customer_id = ?`+only+` ORDER BY notification_id DESC LIMIT ? OFFSET ?`,
		storeKey, customerID, limit, offset)
}

// after returns notifications of a customer that follow an id, the oldest first.
func after(tx *db.Tx, storeKey int64, customerID, id string, limit int) ([]Notification, error) {
	return table.All(tx, `SELECT * FROM notifications
		WHERE store_id = ? AND customer_id = ? AND notification_id > ? ORDER BY notification_id LIMIT ?`,
		storeKey, customerID, id, limit)
}

func exists(tx *db.Tx, storeKey int64, customerID, id string) (bool, error) {
	n, err := db.Value[int64](tx, `SELECT COUNT(*) FROM notifications
		WHERE store_id = ? AND customer_id = ? AND notification_id = ?`, storeKey, customerID, id)
	return n > 0, err
}

// setRead marks one notification as read, or all when the id is empty, and returns how many were
// unread. The inbox must be locked.
func setRead(tx *db.Tx, storeKey int64, customerID, id string) (int64, error) {
	q := db.NewSQL(`UPDATE notifications SET read_at = ? WHERE store_id = ? AND customer_id = ? AND read_at IS NULL`,
		tx.Now().UnixMicro(), storeKey, customerID)
	if id != "" {
		q.And(`notification_id = ?`, id)
	}
	return tx.Exec(q.Text(), q.Args()...)
}

// key identifies a notification of a store.
type key struct{ CustomerID, ID string }

var keyView = db.NewView(table, func(k *key) db.Row {
	return db.Row{"customer_id", &k.CustomerID, "notification_id", &k.ID}
})

// older returns the keys of some notifications of a store that were made before a time, the oldest
// first.
func older(tx *db.Tx, storeKey int64, than time.Time, limit int) ([]key, error) {
	return keyView.All(tx, `SELECT customer_id, notification_id FROM notifications
		WHERE store_id = ? AND created_at < ? ORDER BY created_at LIMIT ?`, storeKey, than.UnixMicro(), limit)
}

// lockInboxes locks the inboxes of customers in the order of their ids, as all operations do.
func lockInboxes(tx *db.Tx, storeKey int64, customerIDs []string) error {
	_, err := tx.Exec(`SELECT i.customer_id FROM ? AS v (store, id) CROSS JOIN inboxes i
		WHERE i.store_id = v.store AND i.customer_id = v.id ORDER BY i.customer_id FOR UPDATE OF i`,
		tx.Among(storeKey, customerIDs...))
	return err
}

// pick reads notifications by their keys. Deleted ones are left out.
func pick(tx *db.Tx, storeKey int64, keys []key) ([]Notification, error) {
	return table.All(tx, `SELECT n.* FROM ? AS v (store, customer, notification)
		CROSS JOIN notifications n
		WHERE n.store_id = v.store AND n.customer_id = v.customer AND n.notification_id = v.notification
		ORDER BY n.notification_id`, among(tx, storeKey, keys))
}

func among(tx *db.Tx, storeKey int64, keys []key) *db.Keys {
	rows := make([][]any, len(keys))
	for i := range keys {
		rows[i] = []any{&keys[i].CustomerID, &keys[i].ID}
	}
	return tx.AmongRows(storeKey, []string{"TEXT", "TEXT"}, rows...)
}

// removeNotifications deletes notifications and updates the counters of their inboxes, which must be locked.
func removeNotifications(tx *db.Tx, storeKey int64, keys []key) error {
	found, err := pick(tx, storeKey, keys)
	if err != nil {
		return err
	}
	total, unread := map[string]int64{}, map[string]int64{}
	for i := range found {
		n := &found[i]
		total[n.CustomerID]--
		if n.ReadAt.IsZero() {
			unread[n.CustomerID]--
		}
	}
	if err := table.Delete(tx, db.Pointers(found)...); err != nil {
		return err
	}
	return addToInboxes(tx, storeKey, total, unread)
}

// removeInbox deletes the inbox of a customer with all its notifications. The inbox must be locked.
func removeInbox(tx *db.Tx, storeKey int64, customerID string) error {
	_, err := tx.Exec(`DELETE FROM notifications WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`DELETE FROM inboxes WHERE store_id = ? AND customer_id = ?`, storeKey, customerID)
	return err
}

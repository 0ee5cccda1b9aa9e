package notification

import "punchcard/platform/db"

// channel hands notifications over, in the transaction that makes them. What is slow or calls other
// servers is only queued.
type channel func(tx *db.Tx, storeKey int64, all []Notification) error

// channels lists the ways in which a notification reaches a customer. Each gets all notifications,
// and knows itself whether the store uses it.
var channels = []channel{toInboxes, toGateway}

// post hands notifications to all channels. Their customers must be locked.
func post(tx *db.Tx, storeKey int64, all []Notification) error {
	if len(all) == 0 {
		return nil
	}
	for i := range all {
		n := &all[i]
		n.StoreKey, n.ID, n.CreatedAt = storeKey, tx.NewID(), tx.Now()
	}
	for _, c := range channels {
		if err := c(tx, storeKey, all); err != nil {
			return err
		}
	}
	return nil
}

package message

import (
	"context"

	"punchcard/platform/db"
	"punchcard/platform/delivery"
)

// formerPush is a row of notification_pushes, where nodes of 0.9 queue calls of the gateway for notifications.
type formerPush struct {
	Delivery
	items []struct {
		CustomerID     string `json:"customerId"`
		NotificationID string `json:"notificationId"`
	}
}

var formerPushes = db.NewTable("notification_pushes", "store_id, push_id", func(p *formerPush) db.Row {
	return p.Row("store_id", &p.StoreKey, "push_id", &p.ID, "items", db.JSON(&p.items), "size", &p.Size)
})

// formerStates maps the states of notification_pushes.
var formerStates = map[string]string{"pending": Waiting, "delivered": Sent, "dead": Dead}

// TakePushes is the job that moves calls from notification_pushes, in which nodes of 0.9 queue them, to the queue of
// messages, and returns how many. Calls that such a node may be making are left to it: it set them due within
// ClaimTerm. The job and the table can go with the release after the next one.
func TakePushes(d *db.DB) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (moved int64, err error) {
		for n := rowsAtOnce; n == rowsAtOnce && err == nil && ctx.Err() == nil; moved += int64(n) {
			err = d.Write(ctx, func(tx *db.Tx) (err error) {
				n, err = takePushes(tx)
				return err
			})
		}
		return moved, err
	}
}

func takePushes(tx *db.Tx) (int, error) {
	now := tx.ServerNow()
	taken, err := formerPushes.All(tx, `DELETE FROM notification_pushes WHERE (store_id, push_id) IN (
		SELECT store_id, push_id FROM notification_pushes WHERE due_at IS NULL OR due_at <= ? OR due_at > ? LIMIT ?)
		RETURNING *`, now.UnixMicro(), now.Add(delivery.ClaimTerm).UnixMicro(), rowsAtOnce)
	if err != nil || len(taken) == 0 {
		return 0, err
	}
	rows := make([]*Delivery, len(taken))
	for i := range taken {
		p := &taken[i]
		p.Queue, p.State = notifications, formerStates[p.State]
		for _, item := range p.items {
			if p.Values == nil {
				p.Values = map[string]string{}
			}
			p.Values[item.NotificationID] = item.CustomerID
		}
		rows[i] = &p.Delivery
	}
	return len(taken), table.Insert(tx, rows...)
}

package webhook

import (
	"context"

	"punchcard/platform/db"
)

// ReadEvents turns events into deliveries and makes no call.
func (s *Sender) ReadEvents(ctx context.Context) error {
	for more := true; more; {
		var subscriptions []Subscription
		err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
			subscriptions, err = active(tx)
			return err
		})
		if err != nil {
			return err
		}
		if more, err = s.read(ctx, subscriptions); err != nil {
			return err
		}
	}
	return nil
}

// Replay is replay.
var Replay = replay

// Log reads a page of a subscription's log.
func Log(tx *db.Tx, s *Subscription, state string) (found []Delivery, total int, err error) {
	return deliveries.List(tx, s.receiver(), state, 10, 20)
}

// RetryDead is retryDead.
var RetryDead = retryDead

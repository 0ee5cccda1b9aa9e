package webhook

import (
	"context"
	"time"

	"punchcard/platform/db"
)

// removedAtOnce is how many deliveries one transaction deletes.
const removedAtOnce = 200

// Clean is the job that purges deliveries that finished longer ago than keep, and soft-deleted
// subscriptions with their deliveries. It returns the number of deliveries.
func Clean(d *db.DB, keep time.Duration) func(ctx context.Context) (int64, error) {
	return func(ctx context.Context) (removed int64, err error) {
		finished := func(tx *db.Tx) (int64, error) {
			return deliveries.RemoveFinished(tx, 0, tx.ServerNow().Add(-keep), removedAtOnce)
		}
		for _, step := range []func(tx *db.Tx) (int64, error){finished, removeDeleted} {
			n, err := d.WriteSteps(ctx, step)
			if removed += n; err != nil {
				return removed, err
			}
		}
		return removed, nil
	}
}

// removeDeleted deletes some deliveries of a soft-deleted subscription, and the subscription itself
// when none are left.
func removeDeleted(tx *db.Tx) (removed int64, err error) {
	for removed == 0 {
		s, found, err := firstDeleted(tx)
		if err != nil || !found {
			return 0, err
		}
		if removed, err = removeOf(tx, &s, removedAtOnce); err != nil {
			return 0, err
		}
		if removed < removedAtOnce {
			if err := removeSubscription(tx, &s); err != nil {
				return 0, err
			}
		}
	}
	return removed, nil
}

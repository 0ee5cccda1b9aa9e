package webhook

import (
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrUnfinished refuses to send a delivery again that has attempts before it.
var ErrUnfinished = fault.New(fault.Refused, "delivery_not_finished",
	"This delivery is not finished: it is sent again by itself.")

// Retry starts a finished delivery again, with the full number of attempts.
func Retry(tx *db.Tx, storeKey int64, id string, eventID int64) (*Delivery, error) {
	s, err := lockSubscription(tx, storeKey, id)
	if err != nil {
		return nil, err
	}
	d, found, err := findDelivery(tx, s, eventID)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, fault.ErrNotFound
	case !d.Finished():
		return nil, ErrUnfinished
	}
	if err := begin(tx, s, []Delivery{d.again(tx)}); err != nil {
		return nil, err
	}
	d, _, err = findDelivery(tx, s, eventID)
	return &d, err
}

// retryDead starts dead deliveries of a subscription again, the oldest events first: at most limit. It returns their
// number.
func retryDead(tx *db.Tx, storeKey int64, id string, limit int) (int, error) {
	s, err := lockSubscription(tx, storeKey, id)
	if err != nil {
		return 0, err
	}
	dead, err := deadOf(tx, s, limit)
	for i := range dead {
		dead[i] = dead[i].again(tx)
	}
	if err != nil {
		return 0, err
	}
	return len(dead), begin(tx, s, dead)
}

// again is a delivery as it was before the first attempt.
func (d *Delivery) again(tx *db.Tx) Delivery {
	fresh := *d
	fresh.Progress = newProgress(tx.ServerNow())
	return fresh
}

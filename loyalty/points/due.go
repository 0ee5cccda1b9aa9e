package points

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// ErrNotPending is returned when a lot that is not pending is unlocked.
var ErrNotPending = fault.New(fault.Refused, "transfer_not_pending", "This transfer is not pending")

// Due returns the owners of at most limit accounts of a store with lots that unlock or expire by now, longest due
// first. Locking such an account settles it.
func Due(tx *db.Tx, s *store.Store, limit int) ([]Owner, error) {
	ids, err := db.AllValues[string](tx, `SELECT customer_id FROM accounts
		WHERE store_id = ? AND next_due_at IS NOT NULL AND next_due_at <= ? ORDER BY next_due_at LIMIT ?`,
		s.Key, tx.Now().UnixMicro(), limit)
	owners := make([]Owner, len(ids))
	for i, id := range ids {
		owners[i] = Owner{s, id}
	}
	return owners, err
}

// All returns the locked wallets in order of stores and owners.
func (w *Wallets) All() []*Wallet { return w.order }

// Store returns the store of the wallet.
func (w *Wallet) Store() *store.Store { return w.store }

// Unlock makes a pending lot active now. It returns ErrNotPending for other lots.
func (w *Wallet) Unlock(lot *Transfer) (event.Entry, error) {
	if !lot.IsLot() || lot.State != Pending {
		return event.Entry{}, ErrNotPending
	}
	w.unlock(lot)
	w.dueBy(lot)
	return w.change(typeUnlocked, lot), nil
}

// Reset expires all lots now, also the pending ones. The rest of their points is lost.
func (w *Wallet) Reset() event.Entry {
	for _, lot := range w.lots {
		if lot.State == Pending {
			w.unlock(lot)
		}
		w.lapse(lot)
		lot.ExpiresAt = w.tx.Now()
		w.noteClosed(lot)
	}
	w.closeLots()
	return event.Entry{AggregateID: w.ID, Fact: pointsHasBeenReset{
		AccountRef{w.ID}, api.EventTimestamp(w.tx.Now(), w.store.Zone),
	}}
}

type pointsHasBeenReset struct {
	AccountID AccountRef `json:"accountId"`
	Date      string     `json:"date"`
}

func (pointsHasBeenReset) EventType() string { return prefix + "PointsHasBeenReset" }

package journey

import (
	"context"
	"errors"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// withdrawGifts takes the gifts of entries back whose messages were all dropped, such as when the customer has ended
// the agreement while the message waited for the hourly limit. It comes before the entries are settled, each in a
// transaction of its own, so that an interrupted run does it again.
func (svc *Service) withdrawGifts(ctx context.Context, d *db.DB, s *store.Store, j *Journey) error {
	if slices.Contains(j.Content.Channels, template.Inbox) { // the message is in the inbox
		return nil
	}
	var entries []Entry
	err := store.Read(ctx, d, s, func(tx *db.Tx) error {
		due, err := toSettle(tx, s.Key, j.ID)
		if err != nil || len(due) == 0 {
			return err
		}
		counts, err := countMessages(tx, s.Key, due)
		for i := range due {
			if e := &due[i]; e.hasGift() && allDropped(counts[e.ID]) {
				entries = append(entries, *e)
			}
		}
		return err
	})
	for i := 0; i < len(entries) && err == nil && ctx.Err() == nil; i++ {
		err = store.Write(ctx, d, s, func(tx *db.Tx) error { return svc.withdraw(tx, s, entries[i]) })
	}
	return err
}

func (e *Entry) hasGift() bool { return e.TransferID != "" || e.CouponID != "" }

func allDropped(channels map[string]message.StateCounts) bool {
	dropped := int64(0)
	for _, states := range channels {
		for state, n := range states {
			if state != message.Dropped && n > 0 {
				return false
			}
			dropped += n
		}
	}
	return dropped > 0
}

// withdraw takes the gift of an entry back. One that was used, or has ended in another way, stays. It locks campaign
// counters, account, coupon, journey and entry, in this order.
func (svc *Service) withdraw(tx *db.Tx, s *store.Store, e Entry) error {
	var err error
	if e.CouponID != "" {
		err = svc.desk.Revoke(tx, s, e.CustomerID, e.CouponID)
	} else {
		err = takePoints(tx, s, e.TransferID)
	}
	if err != nil {
		if _, ended := errors.AsType[*fault.Error](err); ended {
			return nil
		}
		return err
	}
	j, err := lock(tx, s.Key, e.JourneyID)
	if err != nil {
		return err
	}
	e.TransferID, e.CouponID = "", ""
	j.Gifts--
	if err := saveEntries(tx, []Entry{e}); err != nil {
		return err
	}
	return saveProgress(tx, j)
}

// takePoints cancels what is left of the points of a gift.
func takePoints(tx *db.Tx, s *store.Store, transferID string) error {
	owner, err := points.OwnerOf(tx, s.Key, transferID)
	if err != nil {
		return err
	}
	return membership.Change(tx, s, owner, func(w *points.Wallet) (event.Entry, error) {
		t, err := w.Transfer(transferID)
		switch {
		case err != nil:
			return event.Entry{}, err
		case t.StateAt(tx.Now()) == points.Expired || t.Available == 0:
			return event.Entry{}, points.ErrNotCancelable
		}
		return w.Cancel(t)
	})
}

package purchase

import (
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/points"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// Why a purchase cannot be cancelled. Clients compare the texts.
var (
	ErrUsed      = fault.New(fault.Refused, "used_coupon", "A used coupon cannot be canceled")
	ErrExpired   = fault.New(fault.Refused, "expired_coupon", "An expired coupon cannot be canceled")
	ErrTooLate   = fault.New(fault.Refused, "purchase_too_old", "This purchase is too old to be canceled")
	ErrExchanged = fault.New(fault.Refused, "exchanged_points", "Cashback cannot be canceled here")
)

// Cancel takes back a purchase that was made by mistake: the coupon is cancelled, its points go back into their lots,
// and it counts for no limit any more. Cancelling it again changes nothing. It locks in the order of a purchase:
// counters, account, coupon. See docs/behaviour/purchase.md#cancelling.
func (d *Desk) Cancel(tx *db.Tx, s *store.Store, customerID, couponID string) (*Purchase, error) {
	return d.cancelUnless(tx, s, customerID, couponID, d.cancelable)
}

// Revoke cancels a coupon at any time, unless it is used, reserved, expired or cashback.
func (d *Desk) Revoke(tx *db.Tx, s *store.Store, customerID, couponID string) error {
	_, err := d.cancelUnless(tx, s, customerID, couponID, func(tx *db.Tx, _ *store.Store, p *Purchase) error {
		return d.openTo(tx, p)
	})
	return err
}

// cancelUnless cancels a coupon for which refuse, which gets it locked, returns no error.
func (d *Desk) cancelUnless(tx *db.Tx, s *store.Store, customerID, couponID string,
	refuse func(tx *db.Tx, s *store.Store, p *Purchase) error) (*Purchase, error) {
	campaignID, payer, err := campaignOf(tx, s.Key, customerID, couponID)
	if err != nil {
		return nil, err
	}
	counters, err := campaign.LockCounters(tx, s.Key, campaignID)
	if err != nil {
		return nil, err
	}
	members, err := membership.Lock(tx, s, customerID, payer)
	if err != nil {
		return nil, err
	}
	of := members.Of(customerID)
	if of == nil {
		return nil, fault.ErrNotFound
	}
	k := counters[campaignID]
	p, err := Lock(tx, s.Key, customerID, couponID)
	if err != nil || p.Status == Cancelled {
		return p, err
	}
	if err := refuse(tx, s, p); err != nil {
		return nil, err
	}
	entries, err := d.undo(tx, s, p, of.Wallet, members.Of(payer).Wallet, &k)
	if err != nil {
		return nil, err
	}
	if err := saveUse(tx, []*Purchase{p}); err != nil {
		return nil, err
	}
	if err := campaign.SaveCounters(tx, k); err != nil {
		return nil, err
	}
	if of.Status != customer.Deleted {
		members.PointsChanged(of)
	}
	members.Record(entries...)
	return p, members.Save()
}

// campaignOf returns the campaign of a customer's coupon, and the customer whose account paid for it: the same one, or
// one who was merged into them.
func campaignOf(tx *db.Tx, storeKey int64, customerID, couponID string) (campaignID, payer string, err error) {
	type row struct{ campaignID, spendID string }
	r, found, err := db.One(tx, func(r *row) []any { return []any{&r.campaignID, &r.spendID} },
		`SELECT campaign_id, spend_id FROM purchases
		WHERE store_id = ? AND coupon_id = ? AND customer_id = ?`, storeKey, couponID, customerID)
	if err == nil && !found {
		err = fault.ErrNotFound
	}
	if err != nil || r.spendID == "" {
		return r.campaignID, customerID, err
	}
	payer, err = points.OwnerOf(tx, storeKey, r.spendID)
	return r.campaignID, payer, err
}

// cancelable returns why a locked coupon, which is not cancelled, cannot be cancelled now.
func (d *Desk) cancelable(tx *db.Tx, s *store.Store, p *Purchase) error {
	days := s.Settings.PurchaseCancelDays
	switch err := d.openTo(tx, p); {
	case err != nil:
		return err
	case days == 0 || tx.Now().After(calendar.AddDate(p.PurchasedAt, 0, 0, days, s.Zone)):
		return ErrTooLate
	}
	return nil
}

// openTo returns why a locked coupon, which is not cancelled, cannot be cancelled at any time.
func (d *Desk) openTo(tx *db.Tx, p *Purchase) error {
	switch {
	case d.is(p, isExchanged):
		return ErrExchanged
	case p.Used:
		return ErrUsed
	case p.IsHeld(tx.Now()):
		return errStays
	case p.StatusAt(tx.Now()) == Expired:
		return ErrExpired
	}
	return nil
}

// undo makes the changes of a cancellation in memory, and returns their events. If the store sells codes again, it
// moves the code. The payer's account is w, or that of a customer who was merged.
func (d *Desk) undo(tx *db.Tx, s *store.Store, p *Purchase, w, payer *points.Wallet, k *campaign.Counters) (
	entries []event.Entry, err error) {
	entries = p.advance(tx)
	if err := d.takeBack(tx, s, p, w, k); err != nil {
		return nil, err
	}
	if p.SpendID != "" {
		returned, err := p.Refund(payer, w)
		if err != nil {
			return nil, err
		}
		entries = append(entries, returned...)
	}
	if s.Settings.CancelledCodesSoldAgain {
		c, _, err := d.Catalogue.Find(tx, s.Key, p.CampaignID)
		if err != nil {
			return nil, err
		}
		if c.HasCodes() {
			if err := campaign.SellAgain(tx, k, p.Position); err != nil {
				return nil, err
			}
		}
	}
	return append(entries, wasReturned(p, p), statusChanged(p)), nil
}

// Refund gives the points of a purchase back to the account that paid. If its customer was merged into that of w, they
// move on to w.
func (p *Purchase) Refund(payer, w *points.Wallet) ([]event.Entry, error) {
	spend, err := payer.Transfer(p.SpendID)
	if err != nil {
		return nil, err
	}
	returned, err := payer.Return(spend)
	if err != nil || payer == w {
		return []event.Entry{returned}, err
	}
	_, moved, err := payer.MergeInto(w)
	return append([]event.Entry{returned}, moved...), err
}

// cancelled is the response to a cancellation.
type cancelled struct {
	CouponID string        `json:"couponId"`
	Code     string        `json:"code"`
	Status   string        `json:"status" enum:"cancelled"`
	Points   points.Amount `json:"points"` // that were given back
}

func mayCancel(c *api.Call) error {
	_, err := seller.Permitted(c, func(r *seller.Rights) bool { return r.AllowCouponCancel })
	return err
}

// cancel cancels a purchase of the customer of the path.
func (d *Desk) cancel(w *api.Writing) (cancelled, error) {
	who, err := customer.Of(w.Call, w.Tx)
	if err != nil {
		return cancelled{}, err
	}
	w.Entry().SetCustomer(who.ID)
	p, err := d.Cancel(w.Tx, w.Store, who.ID, w.PathID("coupon"))
	if err != nil {
		return cancelled{}, err
	}
	return cancelled{p.CouponID, p.Code, p.Status, p.Cost}, nil
}

package purchase

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// Mark is one row of a mark_as_used request.
type Mark struct {
	CustomerID    string
	CampaignID    string
	CouponID      string
	Code          string
	Used          bool
	TransactionID string // for which the coupon was used; empty if unknown
	POSID         string // of the seller who uses it; empty for others
	ReservationID string // for whose basket the coupon is used; empty for none
}

// MarkUsed marks all coupons of the rows as used or unused, or none. It returns fault.ErrInvalid if a row names no
// coupon of the customer with this campaign, code and id, or one that cannot be used now. The error does not say
// which row or why.
func MarkUsed(tx *db.Tx, s *store.Store, marks []Mark) error {
	u, err := lockUse(tx, s, marks)
	if err != nil {
		return err
	}
	for i := range marks {
		if !u.allows(&marks[i]) {
			return fault.ErrInvalid
		}
		if err := u.mark(&marks[i]); err != nil {
			return err
		}
	}
	return u.save(marks)
}

// use is the use of coupons in a transaction.
type use struct {
	tx       *db.Tx
	store    *store.Store
	coupons  map[string]*Purchase
	receipts map[string]*transaction.Receipt
	buyers   map[string]*customer.Buyer
	small    map[Mark]bool // below the minimum basket
	entries  []event.Entry
}

// lockUse locks receipts and then coupons, each in the order of their ids, and reads what decides about marks.
func lockUse(tx *db.Tx, s *store.Store, marks []Mark) (u *use, err error) {
	u = &use{tx: tx, store: s, small: map[Mark]bool{}}
	if u.receipts, err = lockReceipts(tx, s.Key, marks); err != nil {
		return nil, err
	}
	if u.coupons, err = lockCoupons(tx, s.Key, marks); err != nil {
		return nil, err
	}
	if u.buyers, err = buyersOf(tx, s.Key, u.coupons); err != nil {
		return nil, err
	}
	small, err := belowMinimum(tx, s, marks)
	for i, m := range marks {
		u.small[m] = small[i]
	}
	return u, err
}

// allows reports whether a mark can be carried out now.
func (u *use) allows(m *Mark) bool {
	p := u.coupons[m.CouponID]
	return p != nil && p.CustomerID == m.CustomerID && p.CampaignID == m.CampaignID && p.Code == m.Code &&
		(!m.Used || m.mayUse(p, u.tx.Now())) && !u.small[*m]
}

// mark carries out an allowed mark.
func (u *use) mark(m *Mark) error {
	p := u.coupons[m.CouponID]
	if p.UsedForTransactionID != "" && u.receipts[p.UsedForTransactionID] == nil {
		return db.ErrStale // marked since lockReceipts
	}
	u.entries = append(u.entries, p.advance(u.tx)...) // a used coupon keeps the status that it has now
	p.mark(*m, u.tx, u.store, u.buyers[p.CustomerID], u.receipts[m.TransactionID])
	u.entries = append(u.entries, usageChanged(u.store, p)...)
	return nil
}

// save stores the coupons of carried out marks.
func (u *use) save(marks []Mark) error {
	all := make([]*Purchase, 0, len(marks))
	saved := map[string]bool{}
	for _, m := range marks {
		if !saved[m.CouponID] {
			saved[m.CouponID] = true
			all = append(all, u.coupons[m.CouponID])
		}
	}
	if err := saveUse(u.tx, all); err != nil {
		return err
	}
	if err := endHolds(u.tx, u.store.Key, marks); err != nil {
		return err
	}
	if err := countReceipts(u.tx, u.store, u.receipts); err != nil {
		return err
	}
	return event.Append(u.tx, u.store.Key, u.entries...)
}

// mayUse reports whether the mark can use a coupon.
func (m *Mark) mayUse(p *Purchase, now time.Time) bool {
	if m.ReservationID != "" && p.HeldBy == m.ReservationID {
		return p.StatusAt(now) == Active && !p.Used
	}
	return p.CanBeUsed(now)
}

// endHolds ends what the reservations of marks keep of the coupons.
func endHolds(tx *db.Tx, storeKey int64, marks []Mark) error {
	var ended []*Purchase
	for i := range marks {
		if marks[i].ReservationID != "" {
			ended = append(ended, &Purchase{Owned: Owned{CouponID: marks[i].CouponID}, StoreKey: storeKey})
		}
	}
	return table.Update(tx, "held_until, held_by", ended...)
}

// belowMinimum returns the indices of marks that use a coupon for a receipt below the minimum basket of its campaign. A
// receipt that the store does not know is not checked, nor are reserved coupons, whose basket was checked.
func belowMinimum(tx *db.Tx, s *store.Store, marks []Mark) (map[int]bool, error) {
	small := map[int]bool{}
	var campaigns, receipts []string
	for _, m := range marks {
		if m.Used && m.TransactionID != "" && m.ReservationID == "" {
			campaigns, receipts = append(campaigns, m.CampaignID), append(receipts, m.TransactionID)
		}
	}
	if len(receipts) == 0 {
		return small, nil
	}
	minima, err := campaign.MinimumBaskets(tx, s.Key, db.Distinct(campaigns)...)
	if err != nil || len(minima) == 0 {
		return small, err
	}
	left, err := transaction.LeftOf(tx, s.Key, db.Distinct(receipts)...)
	for i, m := range marks {
		value, known := left[m.TransactionID]
		small[i] = m.Used && known && m.ReservationID == "" && value < minima[m.CampaignID]
	}
	return small, err
}

// mark changes the use of a coupon of a buyer. The receipt is the one that the mark names, or nil.
func (p *Purchase) mark(m Mark, tx *db.Tx, s *store.Store, buyer *customer.Buyer, receipt *transaction.Receipt) {
	p.count(tx, s, -1)
	defer p.count(tx, s, 1)
	p.Used, p.UsedForTransactionID, p.UsedPOSID = m.Used, m.TransactionID, m.POSID
	if m.Used {
		p.UsedAt, p.DeliveryStatus = tx.Now(), DeliveryOrdered
	} else {
		p.UsedAt = time.Time{}
	}
	p.UsedLevelID, p.ReceiptPOSID, p.ReceiptSales = "", "", nil // countReceipts follows
	if m.Used && buyer != nil {
		p.UsedLevelID = buyer.LevelID
	}
	if m.Used && receipt != nil {
		p.ReceiptPOSID = receipt.POSID
	}
}

// buyersOf returns the customers of coupons by their ids.
func buyersOf(tx *db.Tx, storeKey int64, coupons map[string]*Purchase) (map[string]*customer.Buyer, error) {
	ids := make([]string, 0, len(coupons))
	for _, p := range coupons {
		ids = append(ids, p.CustomerID)
	}
	return customer.Buyers(tx, storeKey, db.Distinct(ids))
}

// lockCoupons locks the coupons of the rows, and returns them by their ids.
func lockCoupons(tx *db.Tx, storeKey int64, marks []Mark) (map[string]*Purchase, error) {
	ids := make([]string, len(marks))
	for i, m := range marks {
		ids[i] = m.CouponID
	}
	purchases, err := lockSome(tx, storeKey, ids)
	found := make(map[string]*Purchase, len(purchases))
	for i := range purchases {
		found[purchases[i].CouponID] = &purchases[i]
	}
	return found, err
}

package purchase

import (
	"context"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// advancedAtOnce is the number of coupons that one transaction of Advance changes, few enough not to delay buyers.
const advancedAtOnce = 100

// Advance is the job that stores the statuses of a store's coupons that became active or expired, and records an
// event of each. Readers do not depend on it, because StatusAt computes the present status.
func Advance(ctx context.Context, d *db.DB, s *store.Store) (done int64, err error) {
	for _, change := range []due{beginning, ending} {
		for n := advancedAtOnce; n == advancedAtOnce && err == nil && ctx.Err() == nil; {
			err = store.Write(ctx, d, s, func(tx *db.Tx) (err error) {
				n, err = advanceDue(tx, s.Key, change, advancedAtOnce)
				return err
			})
			done += int64(n)
		}
	}
	return done, err
}

// advanceDue changes at most limit coupons of a store that are due.
func advanceDue(tx *db.Tx, storeKey int64, d due, limit int) (moved int, err error) {
	found, err := lockDue(tx, storeKey, d, limit)
	if err != nil {
		return 0, err
	}
	all := make([]*Purchase, len(found))
	var entries []event.Entry
	for i := range found {
		all[i] = &found[i]
		entries = append(entries, all[i].advance(tx)...)
	}
	if err := saveUse(tx, all); err != nil {
		return 0, err
	}
	return len(all), event.Append(tx, storeKey, entries...)
}

// advance gives a locked purchase its present status, and returns the events of each change. A coupon may have
// become active and expired since the last run.
func (p *Purchase) advance(tx *db.Tx) (entries []event.Entry) {
	now := p.StatusAt(tx.Now())
	if p.Status == Inactive && now == Expired {
		p.Status = Active
		entries = append(entries, statusChanged(p))
	}
	if p.Status != now {
		p.Status = now
		entries = append(entries, statusChanged(p))
	}
	return entries
}

// lockDue locks at most limit purchases that are due, in key order.
func lockDue(tx *db.Tx, storeKey int64, d due, limit int) ([]Purchase, error) {
	q := db.NewSQL(`SELECT p.* FROM (SELECT coupon_id AS coupon FROM purchases WHERE store_id = ? AND `, storeKey)
	q.Add(d(q.Arg(tx.Now().UnixMicro()))+` LIMIT ?) d CROSS JOIN purchases p
		WHERE p.store_id = ? AND p.coupon_id = d.coupon ORDER BY p.coupon_id FOR UPDATE OF p`, limit, storeKey)
	return table.All(tx, q.Text(), q.Args()...)
}

// Lock reads a purchase and locks its row until the operation ends. It returns fault.ErrNotFound if there is none.
func Lock(tx *db.Tx, storeKey int64, customerID, couponID string) (*Purchase, error) {
	found, err := lockSome(tx, storeKey, []string{couponID})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || found[0].CustomerID != customerID {
		return nil, fault.ErrNotFound
	}
	return &found[0], nil
}

// Record adds a purchase that was not made by Desk.Buy, and returns its event. The caller updates the counters of
// the campaign and the account of the customer.
func Record(tx *db.Tx, s *store.Store, p *Purchase) (event.Entry, error) {
	p.StoreKey, p.PurchasedAt = s.Key, tx.Now()
	return event.Entry{AggregateID: p.CustomerID, Fact: wasBought(s, p)}, insertPurchases(tx, s, []*Purchase{p})
}

// Cancel cancels a locked purchase, and returns its event.
func (p *Purchase) Cancel(tx *db.Tx, s *store.Store) (event.Entry, error) {
	p.cancel(tx, s)
	return statusChanged(p), saveUse(tx, []*Purchase{p})
}

func (p *Purchase) cancel(tx *db.Tx, s *store.Store) {
	if p.Status == Cancelled {
		return
	}
	p.count(tx, s, -1)
	campaign.Unsell(tx, s, p.CampaignID, p.PurchasedAt)
	p.Status = Cancelled
}

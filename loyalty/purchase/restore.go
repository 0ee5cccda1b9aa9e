package purchase

import (
	"errors"
	"maps"
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrNotReturned is the error of restoring the coupons of a sale of which something is left.
var ErrNotReturned = fault.New(fault.Refused, "sale_not_returned", "The sale is not returned in full.")

// Restored is a coupon of a sale that came back, and what became of it.
type Restored struct {
	*Purchase
	Problem *fault.Error // why a coupon that was bought with the sale stays; nil for the others
}

// Restore makes the coupons that were used for a completely returned sale unused, and cancels those that were bought
// with it. Those that are used for something else, have expired unused or are reserved stay. coupons are the ids of
// further coupons that may have been used for the sale, of other customers; bought are those of what was bought with
// it. It locks in the order of a return: sale, counters, accounts, coupons. Repeating it has no further effect. See
// docs/behaviour/purchase.md#restoring.
func (d *Desk) Restore(tx *db.Tx, s *store.Store, saleID string, coupons, bought []string) ([]Restored, error) {
	receipts, err := transaction.LockReceipts(tx, s.Key, saleID)
	if err != nil {
		return nil, err
	}
	sale := receipts[saleID]
	switch {
	case sale == nil:
		return nil, fault.ErrNotFound
	case !sale.FullyReturned:
		return nil, ErrNotReturned
	}
	if sale.CustomerID != "" {
		used, err := UsedFor(tx, s.Key, map[string][]string{sale.CustomerID: {saleID}})
		if err != nil {
			return nil, err
		}
		coupons = append(coupons, used[saleID]...)
	}
	if err := lockPaid(tx, s, bought); err != nil {
		return nil, err
	}
	ids := slices.Concat(coupons, bought)
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := lockSome(tx, s.Key, ids)
	if err != nil {
		return nil, err
	}
	unused, err := unuse(tx, s, saleID, all)
	if err != nil {
		return nil, err
	}
	var restored []Restored
	for i := range all {
		p := &all[i]
		if !slices.Contains(bought, p.CouponID) {
			if unused[p.CouponID] {
				restored = append(restored, Restored{Purchase: p})
			}
			continue
		}
		if p.Status == Cancelled {
			continue
		}
		r, err := d.cancelBought(tx, s, p, unused[p.CouponID])
		if err != nil {
			return nil, err
		}
		restored = append(restored, r)
	}
	return restored, nil
}

// unuse makes those of the locked coupons unused that were used for the sale, and returns their ids. Vouchers of which
// returns gave a part back stay used, and so do coupons that the sale itself brought.
func unuse(tx *db.Tx, s *store.Store, saleID string, coupons []Purchase) (map[string]bool, error) {
	var marks []Mark
	unused := map[string]bool{}
	for i := range coupons {
		p := &coupons[i]
		if p.Used && p.Status != Cancelled && p.UsedForTransactionID == saleID && p.TransactionID != saleID &&
			p.ReturnedAmount == 0 {
			unused[p.CouponID] = true
			marks = append(marks, Mark{
				CustomerID: p.CustomerID, CampaignID: p.CampaignID, CouponID: p.CouponID, Code: p.Code,
			})
			p.Used = false
		}
	}
	if len(marks) == 0 {
		return unused, nil
	}
	return unused, MarkUsed(tx, s, marks)
}

// cancelBought cancels a coupon that was bought with a sale. One that was used for the sale is cancelled even if it
// would have expired since.
func (d *Desk) cancelBought(tx *db.Tx, s *store.Store, p *Purchase, wasUsed bool) (Restored, error) {
	cancelled, err := d.cancelUnless(tx, s, p.CustomerID, p.CouponID,
		func(tx *db.Tx, _ *store.Store, p *Purchase) error {
			err := d.openTo(tx, p)
			if wasUsed && errors.Is(err, ErrExpired) {
				return nil
			}
			return err
		})
	if problem, is := errors.AsType[*fault.Error](err); is && problem.Kind == fault.Refused {
		return Restored{p, problem}, nil
	}
	return Restored{Purchase: cancelled}, err
}

// lockPaid locks the counters of coupons that are cancelled, and the accounts that paid for them.
func lockPaid(tx *db.Tx, s *store.Store, couponIDs []string) error {
	if len(couponIDs) == 0 {
		return nil
	}
	bought, err := table.All(tx, `SELECT p.* FROM ? AS v (store, id)
		CROSS JOIN purchases p WHERE p.store_id = v.store AND p.coupon_id = v.id`,
		tx.Among(s.Key, db.Distinct(couponIDs)...))
	if err != nil {
		return err
	}
	campaigns, owners := map[string]bool{}, map[points.Owner]bool{}
	for i := range bought {
		p := &bought[i]
		_, payer, err := campaignOf(tx, s.Key, p.CustomerID, p.CouponID)
		if err != nil {
			return err
		}
		campaigns[p.CampaignID] = true
		owners[points.Owner{Store: s, CustomerID: p.CustomerID}] = true
		owners[points.Owner{Store: s, CustomerID: payer}] = true
	}
	if _, err := campaign.LockCounters(tx, s.Key, slices.Sorted(maps.Keys(campaigns))...); err != nil {
		return err
	}
	_, err = points.Lock(tx, slices.Collect(maps.Keys(owners))...)
	return err
}

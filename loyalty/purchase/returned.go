package purchase

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// Returned adjusts the coupons of a sale that is returned. Vouchers that were used for it are given back as new
// vouchers. Unused vouchers that came from it are reduced to the value for the rest of the sale, and the other unused
// coupons that it brought are cancelled when all of it is returned. See docs/behaviour/purchase.md#coupons-and-returns.
func (d *Desk) Returned(tx *db.Tx, s *store.Store, e transaction.Returned) error {
	sale, document := e.Sale, e.Document
	coupons, campaigns, err := d.couponsOf(tx, sale, document)
	if err != nil || len(coupons) == 0 {
		return err
	}
	r := &reversal{tx: tx, store: s, desk: d}
	if r.counters, err = campaign.LockCounters(tx, s.Key, campaigns...); err != nil {
		return err
	}
	owner := points.Owner{Store: s, CustomerID: document.CustomerID}
	wallets, err := points.Lock(tx, owner)
	if err != nil {
		return err
	}
	buyers, err := customer.Buyers(tx, s.Key, []string{document.CustomerID})
	if err != nil {
		return err
	}
	r.wallet, r.buyer = wallets.Of(owner), buyers[document.CustomerID]
	if r.wallet == nil || r.buyer == nil {
		return fault.ErrNotFound
	}
	locked, err := lockSome(tx, s.Key, coupons)
	if err != nil {
		return err
	}
	definitions, err := d.Catalogue.FindAll(tx, s.Key, campaigns...)
	if err != nil {
		return err
	}
	if err := r.decide(s, locked, definitions, sale, document); err != nil {
		return err
	}
	if err := wallets.Save(); err != nil {
		return err
	}
	return r.write()
}

// reversal collects the changes that a return makes to the customer's coupons.
type reversal struct {
	tx       *db.Tx
	store    *store.Store
	desk     *Desk
	counters map[string]campaign.Counters
	wallet   *points.Wallet
	buyer    *customer.Buyer

	changed, added                       []*Purchase
	bought, returned, replaced, statuses []event.Entry
	cancelled, stayed                    int // coupons that the sale brought, other than vouchers: unused, used
}

// voucher is a locked voucher for a sale with its value, which is its code.
type voucher struct {
	*Purchase
	value decimal.Money
}

// decide gives back the vouchers that were used for the sale, and reduces those that came from it. A voucher that
// was used for the same sale that it came from is not given back.
func (r *reversal) decide(s *store.Store, locked []Purchase, definitions map[string]*campaign.Campaign,
	sale, document *transaction.Transaction) error {
	var used []voucher
	for i := range locked {
		if definitions[locked[i].CampaignID].Reward.Worth == nil {
			if err := r.takeBack(&locked[i]); err != nil {
				return err
			}
			continue
		}
		v := voucher{Purchase: &locked[i]}
		if err := v.value.UnmarshalJSON([]byte(v.Code)); err != nil {
			return fmt.Errorf("voucher %s: %w", v.CouponID, err)
		}
		switch {
		case v.Used && v.UsedForTransactionID == sale.ID && v.TransactionID != sale.ID:
			used = append(used, v)
		case !v.Used && v.TransactionID == sale.ID:
			deserved := decimal.Whole(definitions[v.CampaignID].Worth(sale.Left().Gross)).Money()
			r.cut(v, min(v.value, deserved))
		}
	}
	given := shares(used, document.Returned.Gross, sale.Amounts.Gross, document.FullyReturned,
		s.MoneyDigits())
	for i, v := range used { // in the order of shares
		if given[i] > 0 {
			r.giveBack(v, given[i])
		}
	}
	if r.cancelled+r.stayed > 0 {
		r.statuses = append(r.statuses, rewardsReturned(sale, document.CustomerID, r.cancelled, r.stayed))
	}
	return nil
}

// takeBack cancels a coupon that a sale brought, unless it was used or is reserved, has expired or is cancelled.
func (r *reversal) takeBack(p *Purchase) error {
	if p.Used || p.IsHeld(r.tx.Now()) {
		r.stayed++
		return nil
	}
	if status := p.StatusAt(r.tx.Now()); status != Active && status != Inactive {
		return nil
	}
	r.statuses = append(r.statuses, p.advance(r.tx)...)
	k := r.counters[p.CampaignID]
	if err := r.desk.takeBack(r.tx, r.store, p, r.wallet, &k); err != nil {
		return err
	}
	r.counters[p.CampaignID] = k
	r.cancelled++
	r.changed = append(r.changed, p)
	r.statuses = append(r.statuses, statusChanged(p))
	return nil
}

// shares sorts used vouchers, latest expiry and smallest value first, and returns the amount that a return gives back
// of each, with the digits after the point of the currency. The sum is their total value times returned / of, given
// to the vouchers in order. If last is set, nothing is left of the sale, and all that was not given back yet is. No
// voucher gives back more than its value.
func shares(used []voucher, returned, of decimal.Money, last bool, digits int) []decimal.Money {
	slices.SortFunc(used, func(a, b voucher) int {
		return cmp.Or(compareEnds(b.ActiveTo, a.ActiveTo), cmp.Compare(a.value, b.value),
			cmp.Compare(a.CouponID, b.CouponID))
	})
	given := make([]decimal.Money, len(used))
	var total decimal.Money
	for i, v := range used {
		total += v.value
		given[i] = max(0, v.value-v.ReturnedAmount)
	}
	if last {
		return given
	}
	rest := total.MulDiv(int64(returned), int64(of), digits)
	for i := range given {
		given[i] = min(given[i], rest)
		rest -= given[i]
	}
	return given
}

// compareEnds compares expiry times. No expiry is the latest.
func compareEnds(a, b time.Time) int {
	switch {
	case a.IsZero() && b.IsZero():
		return 0
	case a.IsZero():
		return 1
	case b.IsZero():
		return -1
	}
	return a.Compare(b)
}

// giveBack gives back part of a used voucher as a new voucher. The used one stays used.
func (r *reversal) giveBack(v voucher, value decimal.Money) {
	v.ReturnedAmount += value
	r.changed = append(r.changed, v.Purchase)
	r.returned = append(r.returned, wasReturned(v.Purchase, r.add(v.Purchase, value)))
}

// cut cancels an unused voucher whose value is reduced, and replaces it by a new one if any value is left.
func (r *reversal) cut(v voucher, value decimal.Money) {
	status := v.StatusAt(r.tx.Now())
	if value == v.value || status != Active && status != Inactive || v.IsHeld(r.tx.Now()) {
		return
	}
	r.statuses = append(r.statuses, v.advance(r.tx)...)
	if value > 0 {
		r.replaced = append(r.replaced, couponChanged(r.store, v.Purchase, r.add(v.Purchase, value)))
	}
	v.cancel(r.tx, r.store)
	r.changed = append(r.changed, v.Purchase)
	r.statuses = append(r.statuses, statusChanged(v.Purchase))
}

// add creates a free voucher of the value, with the sale and the dates of an old one.
func (r *reversal) add(old *Purchase, value decimal.Money) *Purchase {
	k := r.counters[old.CampaignID]
	p := &Purchase{
		Owned: Owned{
			CouponID: NewID(r.tx), CampaignID: old.CampaignID, Code: value.String(), Status: old.Status,
			PurchasedAt: r.tx.Now(), ActiveSince: old.ActiveSince, ActiveTo: old.ActiveTo, TransactionID: old.TransactionID,
		},
		StoreKey: old.StoreKey, CustomerID: old.CustomerID, Position: k.NextPosition, Price: old.Price,
		PointsBefore: r.wallet.Points, Reward: old.Reward, CampaignName: old.CampaignName, TaxPrice: old.TaxPrice,
		Email: r.buyer.Email, Phone: r.buyer.Phone, FirstName: r.buyer.FirstName, LastName: r.buyer.LastName,
		ShippingAddress: r.buyer.Address, LevelID: r.buyer.LevelID,
	}
	k.Sell(r.tx, r.store, 1)
	r.counters[old.CampaignID] = k
	r.wallet.CountPurchases(old.CampaignID, 1)
	r.added = append(r.added, p)
	r.bought = append(r.bought, event.Entry{AggregateID: p.CustomerID, Fact: wasBought(r.store, p)})
	return p
}

// write stores the decisions, except for the wallet.
func (r *reversal) write() error {
	if len(r.changed) > 0 {
		if err := saveUse(r.tx, r.changed); err != nil {
			return err
		}
	}
	if len(r.added) > 0 {
		if err := insertPurchases(r.tx, r.store, r.added); err != nil {
			return err
		}
	}
	if len(r.added)+r.cancelled > 0 {
		if err := campaign.SaveCounters(r.tx, slices.Collect(maps.Values(r.counters))...); err != nil {
			return err
		}
	}
	return event.Append(r.tx, r.store.Key, slices.Concat(r.bought, r.returned, r.replaced, r.statuses)...)
}

// couponsOf returns the customer's coupons that a return can change, and their campaigns: vouchers that were used for
// the sale or came from it and, when nothing is left of it, the other coupons that it brought at no cost.
func (d *Desk) couponsOf(tx *db.Tx, sale, document *transaction.Transaction) (coupons, campaigns []string, err error) {
	vouchers := d.Catalogue.Types.Only("reward", func(t *campaign.RewardType) bool { return t.Worth != nil })
	brought := vouchers
	if document.FullyReturned {
		brought = `(cost = 0 OR ` + vouchers + `)`
	}
	side := func(column, which string) string {
		return `SELECT coupon_id, campaign_id FROM purchases WHERE store_id = ? AND customer_id = ?
			AND ` + column + ` = ? AND ` + column + ` <> '' AND ` + which
	}
	err = db.Each(tx, func(p *Purchase) []any { return []any{&p.CouponID, &p.CampaignID} }, func(p Purchase) {
		coupons, campaigns = append(coupons, p.CouponID), append(campaigns, p.CampaignID)
	}, side("used_for_transaction_id", vouchers)+` UNION `+side("transaction_id", brought),
		sale.StoreKey, document.CustomerID, sale.ID, sale.StoreKey, document.CustomerID, sale.ID)
	return db.Distinct(coupons), db.Distinct(campaigns), err
}

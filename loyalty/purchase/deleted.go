package purchase

import (
	"errors"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// goneAtOnce is how many deleted customers are looked at in one transaction.
const goneAtOnce = 500

// settled is the response: what was cancelled.
type settled struct {
	Accounts int           `json:"accounts"` // of which anything was cancelled
	Points   points.Amount `json:"points"`
	Coupons  int           `json:"coupons"`
}

// left holds the points and the unused coupons of a deleted customer.
type left struct {
	id      string
	points  points.Amount
	coupons []string
}

// settleDeleted cancels the unused coupons of deleted and erased customers and expires their points, in steps, one
// account after the other. Blocked points, coupons that are reserved and cashbacks stay, and all coupons if the caller
// may not change campaigns. Repeating it cancels what has come since.
func (d *Desk) settleDeleted(c *api.Call) (sum settled, err error) {
	for after, more := "", true; more; {
		var all []left
		err := c.Read(func(tx *db.Tx) (err error) {
			all, after, more, err = leftAfter(tx, c.Store, after)
			return err
		})
		if err != nil {
			return sum, err
		}
		for i := range all {
			if !c.Caller.Allowed(access.RewardCampaigns, access.Modify) {
				all[i].coupons = nil
			}
			if err := d.settle(c, &all[i], &sum); err != nil {
				return sum, err
			}
		}
	}
	return sum, nil
}

// leftAfter returns what the next deleted customers have left.
func leftAfter(tx *db.Tx, s *store.Store, after string) (all []left, last string, more bool, err error) {
	ids, err := customer.GoneAfter(tx, s.Key, after, goneAtOnce)
	if err != nil || len(ids) == 0 {
		return nil, "", false, err
	}
	balances, err := points.Balances(tx, s, ids...)
	if err != nil {
		return nil, "", false, err
	}
	coupons := map[string][]string{}
	err = db.Each(tx, func(p *Purchase) []any { return []any{&p.CustomerID, &p.CouponID} }, func(p Purchase) {
		coupons[p.CustomerID] = append(coupons[p.CustomerID], p.CouponID)
	}, `SELECT p.customer_id, p.coupon_id FROM ? AS v (store, id) CROSS JOIN purchases p
		WHERE p.store_id = v.store AND p.customer_id = v.id AND NOT p.used AND p.status IN ('active', 'inactive')`,
		tx.Among(s.Key, ids...))
	for _, id := range ids {
		one := left{id, balances[id].Points + balances[id].Locked, coupons[id]}
		if one.points > 0 || len(one.coupons) > 0 {
			all = append(all, one)
		}
	}
	return all, ids[len(ids)-1], len(ids) == goneAtOnce, err
}

// settle cancels the coupons of a customer, which gives their points back, and then expires all points.
func (d *Desk) settle(c *api.Call, of *left, sum *settled) error {
	before := *sum
	for _, couponID := range of.coupons {
		err := c.Step(func(tx *db.Tx) error {
			return d.Revoke(tx, c.Store, of.id, couponID)
		})
		switch {
		case err == nil:
			sum.Coupons++
		case !errors.Is(err, ErrExchanged) && !errors.Is(err, ErrUsed) && !errors.Is(err, ErrExpired) &&
			!errors.Is(err, errStays):
			return err
		}
	}
	var expired points.Amount
	err := c.Step(func(tx *db.Tx) error {
		members, err := membership.Lock(tx, c.Store, of.id)
		if err != nil {
			return err
		}
		w := members.Of(of.id).Wallet
		if expired = w.Points + w.Locked; expired == 0 {
			return nil
		}
		members.Record(w.Reset())
		return members.Save()
	})
	if sum.Points += expired; sum.Points > before.Points || sum.Coupons > before.Coupons {
		sum.Accounts++
	}
	return err
}

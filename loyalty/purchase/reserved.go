package purchase

import (
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/fault"
)

// ErrLost is returned when a campaign has become smaller than what a reservation keeps of it.
var ErrLost = fault.New(fault.Conflict, "reservation_lost",
	"The campaign has fewer coupons left than the reservation keeps.")

// errStays is the error of cancelling a coupon that a reservation keeps.
var errStays = fault.New(fault.Refused, "reserved_coupon", "A reserved coupon cannot be canceled")

// Reserved is the purchase that a reservation keeps.
type Reserved struct {
	ID   string        // of the reservation
	Cost points.Amount // as reserved
}

// Redemption turns what a reservation of a customer keeps into purchases.
type Redemption struct {
	ReservationID string
	CustomerID    string
	Rewards       []Reward
}

// Reward is a purchase that a reservation keeps.
type Reward struct {
	CampaignID string        `json:"campaignId"`
	Cost       points.Amount `json:"cost"`
	Use        bool          `json:"use,omitempty"` // the coupon is used for the receipt
}

// Redeem buys what reservations keep for different customers, and ends what is kept in the accounts. It returns the
// coupons of each. Call it in an operation that has locked neither campaign counters nor accounts yet. It returns
// points.ErrNotHeld if a reservation has ended, and ErrLost if a campaign has become smaller since.
func (d *Desk) Redeem(tx *db.Tx, st *store.Store, locale string, redemptions ...Redemption) ([][]Coupon, error) {
	s := &sale{tx: tx, store: st, changed: map[string]bool{}, redeemed: redemptions}
	for _, r := range redemptions {
		for _, reward := range r.Rewards {
			s.buys = append(s.buys, Buy{
				Store: st, CustomerID: r.CustomerID, CampaignID: reward.CampaignID, Quantity: 1, Locale: locale,
				Reserved: &Reserved{r.ReservationID, reward.Cost},
			})
		}
	}
	if len(s.buys) == 0 {
		return make([][]Coupon, len(redemptions)), releaseAll(tx, st, redemptions)
	}
	if err := s.read(d.Catalogue); err != nil {
		return nil, err
	}
	sold, n := make([][]Coupon, len(redemptions)), 0
	for i, r := range redemptions {
		for range r.Rewards {
			coupons, err := s.decide(&s.buys[n])
			if err != nil {
				return nil, err
			}
			sold[i], n = append(sold[i], coupons...), n+1
		}
		if !s.wallet(r.CustomerID).Release(r.ReservationID) {
			return nil, points.ErrNotHeld
		}
	}
	return sold, s.write()
}

// releaseAll ends what reservations without rewards keep in the accounts.
func releaseAll(tx *db.Tx, s *store.Store, redemptions []Redemption) error {
	owners := make([]points.Owner, len(redemptions))
	for i, r := range redemptions {
		owners[i] = points.Owner{Store: s, CustomerID: r.CustomerID}
	}
	wallets, err := points.Lock(tx, owners...)
	if err != nil {
		return err
	}
	for i, r := range redemptions {
		if w := wallets.Of(owners[i]); w == nil || !w.Release(r.ReservationID) {
			return points.ErrNotHeld
		}
	}
	return wallets.Save()
}

func (s *sale) wallet(customerID string) *points.Wallet {
	return s.wallets.Of(points.Owner{Store: s.store, CustomerID: customerID})
}

// redeem decides a purchase that a reservation keeps. Its rules passed when it was reserved. But the reservation may
// have ended since the operation began, and somebody else may have what it kept.
func (s *sale) redeem(b *Buy, c *campaign.Campaign, buyer *customer.Buyer, wallet *points.Wallet) ([]Coupon, error) {
	k := s.counters[b.CampaignID]
	k.Held--
	s.counters[b.CampaignID] = k
	if wallet.HeldPoints(b.Reserved.ID) < b.Reserved.Cost {
		return nil, points.ErrNotHeld
	}
	a := attempt{campaign: c, counters: k, quantity: 1}
	if isCounted(&a) && checkLimit(&a) != nil || hasCodes(&a) && checkCodes(&a) != nil {
		return nil, ErrLost
	}
	pair := points.Pair{CustomerID: b.CustomerID, CampaignID: b.CampaignID}
	return s.take(b, c, buyer, wallet, s.bought[pair], b.Reserved.Cost)
}

// countHeld adds what reservations of a customer keep to how often the customer has bought campaigns.
func countHeld(a *points.Account, bought map[string]int64) {
	a.EachHeld(func(campaignID string, n int64) { bought[campaignID] += n })
}

// IsHeld reports whether a reservation keeps the coupon at a time.
func (o *Owned) IsHeld(now time.Time) bool { return o.HeldUntil.After(now) }

// isHeld is IsHeld in SQL. now is the placeholder of a time.
func isHeld(now string) string { return `COALESCE(held_until, 0) > ` + now }

// Hold keeps coupons for a reservation until it ends. It returns db.ErrStale if one of them cannot be used any more.
func Hold(tx *db.Tx, s *store.Store, reservationID string, endsAt time.Time, couponIDs ...string) error {
	if len(couponIDs) == 0 {
		return nil
	}
	found, err := lockSome(tx, s.Key, couponIDs)
	if err != nil {
		return err
	}
	if len(found) < len(couponIDs) {
		return db.ErrStale
	}
	for i := range found {
		if !found[i].CanBeUsed(tx.Now()) {
			return db.ErrStale
		}
		found[i].HeldUntil, found[i].HeldBy = endsAt, reservationID
	}
	return table.Update(tx, "held_until, held_by", db.Pointers(found)...)
}

// Prolong keeps the coupons that a reservation keeps until another time.
func Prolong(tx *db.Tx, s *store.Store, reservationID string, endsAt time.Time, couponIDs ...string) error {
	return holdAgain(tx, s, reservationID, endsAt, reservationID, couponIDs)
}

// Release ends what a reservation keeps of coupons.
func Release(tx *db.Tx, s *store.Store, reservationID string, couponIDs ...string) error {
	return holdAgain(tx, s, reservationID, time.Time{}, "", couponIDs)
}

// holdAgain changes until when and by which reservation those of the coupons are kept that a reservation keeps.
func holdAgain(tx *db.Tx, s *store.Store, reservationID string, until time.Time, by string, couponIDs []string) error {
	if len(couponIDs) == 0 {
		return nil
	}
	found, err := lockSome(tx, s.Key, couponIDs)
	var held []*Purchase
	for i := range found {
		if found[i].HeldBy == reservationID {
			found[i].HeldUntil, found[i].HeldBy = until, by
			held = append(held, &found[i])
		}
	}
	if err != nil {
		return err
	}
	return table.Update(tx, "held_until, held_by", held...)
}

// EachHold visits the coupons that reservations keep, or kept until they ended. It is meant for checks.
func EachHold(tx *db.Tx, visit func(storeKey int64, couponID, reservationID string, endsAt time.Time)) error {
	return db.Each(tx, func(p *Purchase) []any {
		return []any{&p.StoreKey, &p.CouponID, &p.HeldBy, db.Time(&p.HeldUntil)}
	}, func(p Purchase) { visit(p.StoreKey, p.CouponID, p.HeldBy, p.HeldUntil) },
		`SELECT store_id, coupon_id, held_by, held_until FROM purchases WHERE held_until IS NOT NULL`)
}

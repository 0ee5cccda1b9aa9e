package cashback

import (
	"slices"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/platform/calendar"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// Request is a request to exchange points.
type Request struct {
	Store      *store.Store
	CustomerID string
	CampaignID string // empty for the one that pays best
	Points     points.Amount
	Locale     string // default language, for the stored name
}

// Simulate returns what Redeem would record, without recording it.
func Simulate(tx *db.Tx, in Request) (*Cashback, error) {
	buyer, targets, err := in.buyer(tx)
	if err != nil {
		return nil, err
	}
	open, err := campaign.CashbackFor(tx, in.Store.Key, targets)
	if err != nil {
		return nil, err
	}
	account, err := points.Balance(tx, in.Store, in.CustomerID)
	if err != nil {
		return nil, err
	}
	return in.decide(tx, best(open, in.CampaignID), buyer, account.Points)
}

// Redeem spends the points and records the payment that is due for them.
func Redeem(tx *db.Tx, in Request) (made *Cashback, err error) {
	buyer, targets, err := in.buyer(tx)
	if err != nil {
		return nil, err
	}
	open, counters, err := lockOpen(tx, in.Store.Key, targets)
	if err != nil {
		return nil, err
	}
	c := best(open, in.CampaignID)
	owner := points.Owner{Store: in.Store, CustomerID: in.CustomerID}
	_, err = points.Change(tx, owner, func(w *points.Wallet) ([]event.Entry, error) {
		if made, err = in.decide(tx, c, buyer, w.Points); err != nil {
			return nil, err
		}
		return in.carryOut(tx, made, c, counters[c.ID], buyer, w)
	})
	return made, err
}

// buyer reads the customer, and the targets by which campaigns are meant for the customer.
func (in *Request) buyer(tx *db.Tx) (*customer.Buyer, []string, error) {
	buyers, err := customer.Buyers(tx, in.Store.Key, []string{in.CustomerID})
	if err != nil {
		return nil, nil, err
	}
	buyer := buyers[in.CustomerID]
	if buyer == nil {
		return nil, nil, fault.ErrNotFound
	}
	if err := buyer.Gone(); err != nil {
		return nil, nil, err
	}
	targets, err := purchase.Targets(tx, in.Store.Key, buyer)
	return buyer, targets, err
}

// lockOpen locks the counters of the campaigns that are open to the targets. It then reads the
// campaigns again, because they may have changed before the lock, and returns those that are still
// open.
func lockOpen(tx *db.Tx, storeKey int64, targets []string) (
	open []campaign.Campaign, counters map[string]campaign.Counters, err error) {
	if open, err = campaign.CashbackFor(tx, storeKey, targets); err != nil || len(open) == 0 {
		return nil, nil, err
	}
	ids := make([]string, len(open))
	for i := range open {
		ids[i] = open[i].ID
	}
	if counters, err = campaign.LockCounters(tx, storeKey, ids...); err != nil {
		return nil, nil, err
	}
	open, err = campaign.CashbackFor(tx, storeKey, targets)
	open = slices.DeleteFunc(open, func(c campaign.Campaign) bool {
		_, locked := counters[c.ID]
		return !locked
	})
	return open, counters, err
}

// decide returns the cashback or an error. It checks in the order of a purchase: campaign, daily
// limit, customer, balance.
func (in *Request) decide(tx *db.Tx, c *campaign.Campaign, buyer *customer.Buyer, balance points.Amount) (
	*Cashback, error) {
	if c == nil {
		return nil, ErrNotAvailable
	}
	if most := in.Store.Settings.MaxPointsRedeemed; most != nil {
		today := calendar.DayOf(tx.Now(), in.Store.Zone)
		redeemed, err := redeemedSince(tx, in.Store.Key, in.CustomerID, today.Start(in.Store.Zone))
		if err != nil {
			return nil, err
		}
		if in.Points > *most-redeemed {
			return nil, campaign.ErrLimitPerCustomer
		}
	}
	if buyer.Status != customer.Active {
		return nil, purchase.ErrNotAllowed
	}
	if in.Points > balance {
		return nil, points.ErrNotEnough
	}
	amount, ok := reward(in.Store, in.Points, c.Definition.PointValue)
	if !ok {
		return nil, fault.ErrInvalid
	}
	if amount == 0 {
		return nil, ErrWorthless
	}
	return &Cashback{
		StoreKey: in.Store.Key, CustomerID: in.CustomerID, CampaignID: c.ID, Points: in.Points,
		PointValue: c.Definition.PointValue, RewardAmount: amount, Provider: c.Definition.CashbackProvider,
		State: Created, Code: "INIT", Message: "INIT", CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}, nil
}

// carryOut stores the cashback with its purchase, and returns their events.
func (in *Request) carryOut(tx *db.Tx, made *Cashback, c *campaign.Campaign, k campaign.Counters,
	buyer *customer.Buyer, w *points.Wallet) ([]event.Entry, error) {
	p := &purchase.Purchase{
		Owned:      purchase.Owned{CouponID: purchase.NewID(tx), CampaignID: c.ID, Status: purchase.Active, Cost: in.Points},
		CustomerID: in.CustomerID, Position: k.NextPosition, Price: c.Cost, PointsBefore: w.Points, Reward: c.Reward.Name,
		CampaignName: c.Name(api.Locale{Wanted: in.Locale, Default: in.Locale}), TaxPrice: c.Definition.TaxPriceValue,
		Email: buyer.Email, Phone: buyer.Phone, FirstName: buyer.FirstName, LastName: buyer.LastName,
		ShippingAddress: buyer.Address, LevelID: buyer.LevelID,
	}
	made.CouponID = p.CouponID
	spend, spent, err := w.Spend(in.Points, p.CampaignName+", cashback", points.BySystem)
	if err != nil {
		return nil, err
	}
	p.SpendID = spend.ID
	mine, err := w.Bought(c.ID)
	if err != nil {
		return nil, err
	}
	if mine == 0 {
		k.Customers++
	}
	k.Sell(tx, in.Store, 1)
	w.CountPurchases(c.ID, 1)
	if err := campaign.SaveCounters(tx, k); err != nil {
		return nil, err
	}
	bought, err := purchase.Record(tx, in.Store, p)
	if err != nil {
		return nil, err
	}
	if err := insertCashback(tx, made); err != nil {
		return nil, err
	}
	if made.Provider != "" && in.Store.Settings.CashbackProviderURL != "" {
		err = enqueue(tx, made)
	}
	return []event.Entry{bought, spent}, err
}

package purchase

import (
	"context"
	"slices"
	"strconv"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/event"
	"punchcard/platform/fault"
)

// batchedQuantity is the largest quantity of a request that joins a batch. Larger requests run in transactions of
// their own, so that they do not delay the batch.
const batchedQuantity = 10

// Desk sells campaigns.
type Desk struct {
	Catalogue *campaign.Catalogue

	db       *db.DB
	selling  *api.Batched[Buy, []Coupon]
	markings *api.Batched[[]Mark, markedCoupons]
	offers   *batch.Batch[offerRequest, offerPage]
	ownLists *batch.Batch[ownRequest, ownResult]
}

// NewDesk returns a desk that sells the campaigns of d, which have the reward types of a table.
func NewDesk(d *db.DB, types campaign.Types) *Desk {
	desk := &Desk{db: d, Catalogue: campaign.NewCatalogue(d, types)}
	desk.selling = api.NewBatched(d, desk.sell, func(a *asked) (any, error) {
		return soldCoupons{a.Out, a.In.Explanation.found()}, nil
	})
	desk.selling.Alone = func(b Buy) bool { return b.Quantity > batchedQuantity && b.hasQuantity() }
	desk.markings = newMarkings(d)
	desk.offers = store.NewReadBatch(d, func(r offerRequest) *store.Store { return r.store }, desk.offer)
	desk.ownLists = store.NewReadBatch(d, func(r ownRequest) *store.Store { return r.store }, desk.readOwnLists)
	return desk
}

func (b *Buy) hasQuantity() bool { return b.Quantity >= 1 && b.Quantity <= QuantityLimit }

// asked is a purchase in a batch.
type asked = api.Asked[Buy, []Coupon]

// Buy buys all of the quantity or nothing, and returns the coupons after they are durable.
func (d *Desk) Buy(ctx context.Context, b Buy) ([]Coupon, error) {
	return d.selling.Do(ctx, b.Store, b)
}

// sell decides purchases of one store in order of arrival. It locks all rows of the batch in a fixed order, decides in
// memory, and writes with a few statements.
func (d *Desk) sell(tx *db.Tx, st *store.Store, calls []*asked) error {
	s := &sale{tx: tx, store: st, buys: make([]Buy, len(calls)), changed: map[string]bool{}}
	for i, a := range calls {
		if s.buys[i] = a.In; !a.In.hasQuantity() {
			s.buys[i].Quantity = 0 // refused when the quantity's turn comes
		}
	}
	if err := s.read(d.Catalogue); err != nil {
		return err
	}
	for i, a := range calls {
		if !a.IsNew() {
			continue
		}
		if a.Out, a.Err = s.decide(&s.buys[i]); a.Err != nil {
			continue
		}
		if err := a.Done(func(e *audit.Entry) error { return a.In.describe(e, a.Out) }); err != nil {
			return err
		}
	}
	return s.write()
}

// sellHere sells in a transaction of the caller.
func (d *Desk) sellHere(tx *db.Tx, s *store.Store, buys []Buy) ([]*asked, error) {
	calls := make([]*asked, len(buys))
	for i, b := range buys {
		calls[i] = &asked{In: b}
	}
	return calls, d.sell(tx, s, calls)
}

// sale is a batch of purchases of one store.
type sale struct {
	tx    *db.Tx
	store *store.Store
	buys  []Buy // in order of arrival

	campaigns map[string]*campaign.Campaign
	counters  map[string]campaign.Counters
	wallets   *points.Wallets
	bought    map[points.Pair]int64 // with the purchases of the batch
	recent    map[points.Pair]int64 // the same in the period of the limit per customer, for campaigns that have one
	buyers    map[string]*customer.Buyer
	segments  map[string][]customer.Segment // only of buyers whose level is not targeted
	codes     map[campaign.Place]string

	redeemed  []Redemption    // of reservations
	changed   map[string]bool // campaigns whose counters changed
	purchases []*Purchase
	events    []event.Entry
}

// read locks and reads the rows that the decisions need: campaigns before accounts, each in order of ids, then the
// next codes of the locked campaigns.
func (s *sale) read(catalogue *campaign.Catalogue) (err error) {
	var campaigns, customers []string
	owners := make([]points.Owner, 0, len(s.buys))
	demand := map[string]int64{}
	for i := range s.buys {
		b := &s.buys[i]
		demand[b.CampaignID] += b.Quantity
		campaigns, customers = append(campaigns, b.CampaignID), append(customers, b.CustomerID)
		owners = append(owners, points.Owner{Store: s.store, CustomerID: b.CustomerID})
	}
	for _, r := range s.redeemed {
		owners = append(owners, points.Owner{Store: s.store, CustomerID: r.CustomerID})
	}
	campaigns, customers = db.Distinct(campaigns), db.Distinct(customers)
	var lockWallets []db.Query
	var lockCounters, selectBought, selectBuyers, selectCodes db.Query
	s.counters, lockCounters = campaign.LockingCounters(s.tx, s.store.Key, campaigns...)
	s.wallets, lockWallets = points.Locking(s.tx, owners...)
	s.bought, selectBought = points.SelectPairs(s.tx, s.store.Key, s.pairs) // after the locks
	s.buyers, selectBuyers = customer.SelectBuyers(s.tx, s.store.Key, customers)
	s.codes, selectCodes = campaign.SelectNextCodes(s.tx, s.store.Key, demand)
	queries := slices.Concat([]db.Query{lockCounters}, lockWallets, []db.Query{selectBought, selectBuyers, selectCodes})
	if err = s.tx.Run(queries...); err != nil {
		return err
	}
	if s.campaigns, err = catalogue.Load(s.tx, s.store, s.counters); err != nil {
		return err
	}
	if err = s.readRecent(); err != nil {
		return err
	}
	return s.readSegments()
}

func (s *sale) readRecent() (err error) {
	var periodic []points.Pair
	for p, n := range s.bought {
		if c := s.campaigns[p.CampaignID]; c != nil && c.LimitPeriod != "" && n > 0 {
			periodic = append(periodic, p)
		}
	}
	s.recent, err = recentCounts(s.tx, s.store, s.campaigns, periodic)
	return err
}

// pairs yields the customers and campaigns of the purchases.
func (s *sale) pairs(yield func(points.Pair) bool) {
	for i := range s.buys {
		if !yield(points.Pair{CustomerID: s.buys[i].CustomerID, CampaignID: s.buys[i].CampaignID}) {
			return
		}
	}
}

// decide accepts or refuses one purchase. A refused purchase changes nothing.
func (s *sale) decide(b *Buy) ([]Coupon, error) {
	c, k := s.campaigns[b.CampaignID], s.counters[b.CampaignID]
	buyer := s.buyers[b.CustomerID]
	wallet := s.wallet(b.CustomerID)
	if c == nil || buyer == nil || wallet == nil {
		return nil, fault.ErrNotFound
	}
	if err := buyer.Gone(); err != nil {
		return nil, err
	}
	if b.Reserved != nil {
		return s.redeem(b, c, buyer, wallet)
	}
	if c.Reward.Worth != nil {
		b.Quantity = 1 // vouchers for a sale are sold one at a time
	}
	pair := points.Pair{CustomerID: b.CustomerID, CampaignID: b.CampaignID}
	a := attempt{
		campaign: c, counters: k, now: s.tx.Now(), zone: s.store.Zone, administrator: b.Administrator,
		isMeant: b.Administrator || isMeantFor(c, buyer.LevelID, s.segments[buyer.ID]), status: buyer.Status,
		mine: s.bought[pair], points: wallet.Points, cost: c.Cost, quantity: b.Quantity, transactionID: b.TransactionID,
		gross: b.TransactionValue,
	}
	if c.LimitPeriod != "" {
		a.mine = s.recent[pair]
	}
	a.mine += wallet.Held(b.CampaignID)
	if b.WithoutPoints {
		a.cost = 0
	}
	err := a.decide()
	if b.Explanation != nil {
		b.Explanation.Findings = a.explainTo(b.Explanation.Role)
		err = b.Explanation.refuse(err)
	}
	if err != nil {
		return nil, err
	}
	return s.take(b, c, buyer, wallet, s.bought[pair], a.cost)
}

// take carries out an admitted purchase in memory, by a customer who bought the campaign mine times before.
func (s *sale) take(b *Buy, c *campaign.Campaign, buyer *customer.Buyer, wallet *points.Wallet,
	mine int64, cost points.Amount) ([]Coupon, error) {
	k := s.counters[b.CampaignID]
	coupons := make([]Coupon, b.Quantity)
	for i := range coupons {
		p := s.purchase(b, c, buyer, k.NextPosition+int64(i))
		p.PointsBefore, p.Cost = wallet.Points, cost
		if b.Reserved != nil {
			p.PointsBefore += wallet.HeldPoints(b.Reserved.ID)
		}
		s.events = append(s.events, event.Entry{AggregateID: b.CustomerID, Fact: wasBought(s.store, p)})
		if cost > 0 {
			spend, spent, err := b.pay(wallet, cost, p.CampaignName+", coupon: "+p.Code)
			if err != nil {
				return nil, err
			}
			p.SpendID = spend.ID
			s.events = append(s.events, spent)
		}
		s.purchases = append(s.purchases, p)
		coupons[i] = Coupon{Code: p.Code, ID: p.CouponID}
	}
	k.Sell(s.tx, s.store, b.Quantity)
	if mine == 0 {
		k.Customers++
	}
	wallet.CountPurchases(b.CampaignID, b.Quantity)
	pair := points.Pair{CustomerID: b.CustomerID, CampaignID: b.CampaignID}
	s.bought[pair] += b.Quantity
	s.recent[pair] += b.Quantity
	s.counters[b.CampaignID] = k
	s.changed[b.CampaignID] = true
	return coupons, nil
}

// pay spends what a coupon costs.
func (b *Buy) pay(w *points.Wallet, cost points.Amount, comment string) (*points.Transfer, event.Entry, error) {
	if b.Reserved != nil {
		return w.SpendHeld(b.Reserved.ID, cost, comment, points.BySystem)
	}
	return w.Spend(cost, comment, points.BySystem)
}

func (s *sale) purchase(b *Buy, c *campaign.Campaign, buyer *customer.Buyer, position int64) *Purchase {
	p := &Purchase{
		Owned: Owned{
			CouponID: NewID(s.tx), CampaignID: c.ID, Code: c.Definition.SingleCode, PurchasedAt: s.tx.Now(),
		},
		StoreKey: s.store.Key, CustomerID: b.CustomerID, Position: position, Price: c.Cost, Reward: c.Reward.Name,
		CampaignName: c.Name(api.Locale{Wanted: b.Locale, Default: b.Locale}), TaxPrice: c.Definition.TaxPriceValue,
		Email: buyer.Email, Phone: buyer.Phone, FirstName: buyer.FirstName, LastName: buyer.LastName,
		ShippingAddress: buyer.Address, LevelID: buyer.LevelID,
	}
	if b.TransactionValue != nil {
		p.TransactionID = b.TransactionID
	}
	switch {
	case c.HasCodes():
		p.Code = s.codes[campaign.Place{CampaignID: c.ID, Position: position}]
	case c.Reward.Worth != nil:
		p.Code = strconv.FormatInt(c.Worth(*b.TransactionValue), 10)
	}
	p.dates(c, s.store, s.tx.Now())
	return p
}

// write stores the decisions. The wallets write the rows of points.
func (s *sale) write() error {
	if err := s.wallets.Save(); err != nil {
		return err
	}
	if len(s.purchases) == 0 {
		return nil
	}
	if err := insertPurchases(s.tx, s.store, s.purchases); err != nil {
		return err
	}
	var changed []campaign.Counters
	for id := range s.changed {
		changed = append(changed, s.counters[id])
	}
	if err := campaign.SaveCounters(s.tx, changed...); err != nil {
		return err
	}
	return event.Append(s.tx, s.store.Key, s.events...)
}

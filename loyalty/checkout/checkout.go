package checkout

import (
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/decimal"
)

// Limits of a checkout.
const (
	CouponLimit  = 20
	RewardLimit  = 20 // that the customer wants
	RewardsShown = 10 // that the points could buy
)

// Service computes checkouts.
type Service struct {
	desk    *purchase.Desk
	earning *earning.Service
	guesses api.Guesses // of codes by sellers

	openOfCaller int               // reservations
	receipts     transaction.Hooks // of confirmed reservations
	batch        *batch.Batch[request, *checkout]

	confirmations *api.Batched[confirmation, *reservation]
}

// New returns the service for a database; nil only describes it. guesses limits the unknown codes that sellers try.
// receipts run for confirmed reservations. A caller may have openOfCaller open reservations.
func New(d *db.DB, desk *purchase.Desk, rules *earning.Service, guesses api.Guesses,
	receipts transaction.Hooks, openOfCaller int) *Service {
	svc := &Service{desk: desk, earning: rules, guesses: guesses, receipts: receipts, openOfCaller: openOfCaller}
	if d != nil {
		svc.batch = store.NewReadBatch(d, func(r request) *store.Store { return r.store }, svc.compute)
	}
	svc.confirmations = api.NewBatched(d, svc.confirm, func(a *asked) (any, error) {
		return a.Out.encoded(a.Store, a.Now)
	})
	return svc
}

// request is a question about a basket.
type request struct {
	store    *store.Store
	at       time.Time // that administrators ask about; zero for the present
	claim    string    // that the membership of the customer answers
	customer string    // id or card number; empty for none
	items    []transaction.Item
	coupons  []purchase.CouponCode // of different codes
	rewards  []string              // ids of campaigns
	lasting  time.Duration         // of a reservation
	posID    string
	role     access.Role
	locale   api.Locale
}

// checkout holds the price of a basket and its effects.
type checkout struct {
	request
	customer *customer.Customer // nil for nobody
	shopper  *purchase.Shopper  // nil for nobody
	level    *level.Level       // nil for none
	given    []discount         // of the level
	names    []level.Reward     // of these
	offers   []offer            // coupons and rewards, in the order of the request
	outcome  outcome
	sale     *transaction.Transaction
	forecast earning.Forecast
	account  points.Account // after the sale
	standing membership.Standing
	cost     points.Amount // of the rewards that are bought
	reach    purchase.Reach
}

// offer is a coupon that is shown or a reward that is wanted.
type offer struct {
	shown    *purchase.CouponCode // nil for a reward
	wish     *purchase.Wish       // nil for a coupon
	campaign *campaign.Campaign   // nil if it is unknown
	chosen   int                  // index of its discount; -1 for none
	rules    []api.Finding
	applied  bool
	off      decimal.Money
}

// compute reads what the checkouts of a store need, with a few statements, and computes them.
func (svc *Service) compute(tx *db.Tx, s *store.Store, requests []request) ([]batch.Outcome[*checkout], error) {
	outcomes := make([]batch.Outcome[*checkout], len(requests))
	all := make([]*checkout, len(requests))
	for i, r := range requests {
		r.coupons = slices.Clone(r.coupons) // the batch may run again
		all[i] = &checkout{request: r}
		outcomes[i].Value = all[i]
	}
	if err := svc.readCustomers(tx, s, all, outcomes); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c *checkout) bool { return c == nil })
	if err := svc.readOffers(tx, s, all); err != nil {
		return nil, err
	}
	for _, c := range all {
		c.price(tx)
	}
	return outcomes, svc.follow(tx, s, all)
}

// computeOne computes one checkout.
func (svc *Service) computeOne(tx *db.Tx, in request) (*checkout, error) {
	outcomes, err := svc.compute(tx, in.store, []request{in})
	if err != nil {
		return nil, err
	}
	return outcomes[0].Value, outcomes[0].Err
}

// readCustomers reads the customers and the discounts of their levels. A checkout without its customer is refused, and
// becomes nil.
func (svc *Service) readCustomers(tx *db.Tx, s *store.Store, all []*checkout,
	outcomes []batch.Outcome[*checkout]) error {
	var names, ids []string
	for _, c := range all {
		if c.request.customer != "" {
			names = append(names, c.request.customer)
		}
	}
	if len(names) == 0 {
		return nil
	}
	customers, err := customer.FindNamed(tx, s.Key, names...)
	if err != nil {
		return err
	}
	for i, c := range all {
		if c.request.customer == "" {
			continue
		}
		who := customers[c.request.customer]
		if outcomes[i].Err = isServed(who); outcomes[i].Err != nil {
			all[i] = nil
			continue
		}
		c.customer = who
		ids = append(ids, who.ID)
	}
	shoppers, err := svc.desk.ReadShoppers(tx, s, db.Distinct(ids)...)
	if err != nil {
		return err
	}
	for i, c := range all {
		if c == nil || c.customer == nil {
			continue
		}
		if c.shopper = shoppers[c.customer.ID]; c.shopper == nil { // deleted meanwhile
			outcomes[i].Err, all[i] = errUnknownCustomer, nil
			continue
		}
		c.readLevel(tx)
	}
	return nil
}

func (c *checkout) readLevel(tx *db.Tx) {
	if c.level = level.Find(c.shopper.Levels, c.customer.LevelID); c.level != nil {
		c.names = c.level.RewardsAt(tx.Now())
	}
	for _, reward := range c.names {
		c.given = append(c.given, discount{takes: campaign.TakesShare, percent: reward.Value})
	}
}

// readOffers reads coupons and rewards with their campaigns. A coupon that two codes mean counts once.
func (svc *Service) readOffers(tx *db.Tx, s *store.Store, all []*checkout) error {
	var shown []*purchase.CouponCode
	for _, c := range all {
		for i := range c.coupons {
			c.coupons[i].Customer = c.customer
			shown = append(shown, &c.coupons[i])
		}
	}
	if err := purchase.FindCodes(tx, s, shown); err != nil {
		return err
	}
	campaigns, err := svc.campaignsOf(tx, s, shown)
	if err != nil {
		return err
	}
	for _, c := range all {
		seen := map[string]bool{}
		for i := range c.coupons {
			o := offer{shown: &c.coupons[i], chosen: -1}
			if of := o.shown.Coupon; of != nil {
				if seen[of.CouponID] {
					continue
				}
				seen[of.CouponID], o.campaign = true, campaigns[of.CampaignID]
			}
			c.offers = append(c.offers, o)
		}
		if c.shopper == nil {
			continue
		}
		wishes, err := c.shopper.Wishes(c.role, c.locale, c.rewards)
		if err != nil {
			return err
		}
		for i := range wishes {
			c.offers = append(c.offers, offer{wish: &wishes[i], campaign: wishes[i].Campaign, chosen: -1})
		}
	}
	return nil
}

// campaignsOf returns the campaigns of coupons.
func (svc *Service) campaignsOf(tx *db.Tx, s *store.Store, shown []*purchase.CouponCode) (
	map[string]*campaign.Campaign, error) {
	var ids []string
	for _, of := range shown {
		if of.Coupon != nil {
			ids = append(ids, of.Coupon.CampaignID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	counters, err := campaign.CountersOf(tx, s.Key, db.Distinct(ids)...)
	if err != nil {
		return nil, err
	}
	return svc.desk.Catalogue.Load(tx, s, counters)
}

// price computes the price with the best combination of offers, and explains each.
func (c *checkout) price(tx *db.Tx) {
	b := basket{lines: c.items, delivery: c.store.Settings.ExcludedDeliverySKUs, digits: c.store.MoneyDigits()}
	var choices []discount
	for i := range c.offers {
		o := &c.offers[i]
		d, findings := o.judge(&b)
		if o.rules = findings; d != nil {
			o.chosen = len(choices)
			choices = append(choices, *d)
		}
	}
	c.outcome = b.price(c.given, choices)
	for i := range c.offers {
		o := &c.offers[i]
		if o.chosen >= 0 {
			n := len(c.given) + o.chosen
			o.applied, o.off = c.outcome.shares[n] != nil, c.outcome.total(n)
			if !choices[o.chosen].refused {
				o.rules = append(o.rules, combined(o.applied))
			}
		} else {
			o.applied = o.wish != nil && o.wish.CanBuy()
		}
		if o.applied && o.wish != nil {
			c.cost += o.campaign.Cost
		}
	}
	items := slices.Clone(c.items)
	for i := range items {
		items[i].GrossValue = c.outcome.left[i]
	}
	customerID := ""
	if c.customer != nil {
		customerID = c.customer.ID
	}
	c.sale = transaction.NewSale(tx, c.store, customerID, c.posID, items)
}

// follow computes what the sales bring their customers.
func (svc *Service) follow(tx *db.Tx, s *store.Store, all []*checkout) error {
	all = slices.DeleteFunc(slices.Clone(all), func(c *checkout) bool { return c.customer == nil })
	if len(all) == 0 {
		return nil
	}
	rules, err := svc.earning.ReadSaleRules(tx, s.Key)
	if err != nil {
		return err
	}
	reaches := make([]*purchase.Reach, len(all))
	for i, c := range all {
		c.forecast = svc.earning.Forecast(s, rules, c.customer, c.shopper.Segments, c.sale)
		c.account = c.shopper.Account.After(s, c.cost, c.forecast.Points)
		c.standing, err = membership.After(tx, s, c.shopper.Levels, c.customer, c.account, c.sale.Purchases(),
			c.forecast.Points)
		if err != nil {
			return err
		}
		c.reach = purchase.Reach{Shopper: c.shopper, Amount: c.account.Points}
		reaches[i] = &c.reach
	}
	return purchase.FindReach(RewardsShown, reaches...)
}

package checkout

import (
	"slices"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
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
}

// New returns the service. guesses limits the unknown codes that sellers try.
func New(desk *purchase.Desk, rules *earning.Service, guesses api.Guesses) *Service {
	return &Service{desk, rules, guesses}
}

// request is a question about a basket.
type request struct {
	customer string // id or card number; empty for none
	items    []transaction.Item
	coupons  []purchase.Shown // of different codes
	rewards  []string         // ids of campaigns
	posID    string
	role     access.Role
	locale   api.Locale
}

// checkout holds the price of a basket and its effects.
type checkout struct {
	request
	store    *store.Store
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

	affordable []*campaign.Campaign
	next       *campaign.Campaign
}

// offer is a coupon that is shown or a reward that is wanted.
type offer struct {
	shown    *purchase.Shown    // nil for a reward
	wish     *purchase.Wish     // nil for a coupon
	campaign *campaign.Campaign // nil if it is unknown
	chosen   int                // index of its discount; -1 for none
	rules    []purchase.Finding
	applied  bool
	off      decimal.Money
}

// compute reads what a checkout needs, from one state of the database, and computes it.
func (svc *Service) compute(tx *db.Tx, s *store.Store, in request) (*checkout, error) {
	c := &checkout{request: in, store: s}
	if err := svc.readCustomer(tx, c); err != nil {
		return nil, err
	}
	if err := svc.readOffers(tx, c); err != nil {
		return nil, err
	}
	c.price(tx)
	return c, svc.follow(tx, c)
}

// readCustomer reads the customer and the discounts of the level.
func (svc *Service) readCustomer(tx *db.Tx, c *checkout) (err error) {
	if c.request.customer == "" {
		return nil
	}
	if c.customer, err = findCustomer(tx, c.store.Key, c.request.customer); err != nil {
		return err
	}
	if c.shopper, err = svc.desk.ReadShopper(tx, c.store, c.customer.ID); err != nil {
		return err
	}
	if c.level = level.Find(c.shopper.Levels, c.customer.LevelID); c.level != nil {
		c.names = c.level.RewardsAt(tx.Now())
	}
	for _, reward := range c.names {
		c.given = append(c.given, discount{takes: campaign.TakesShare, percent: reward.Value})
	}
	return nil
}

// readOffers reads coupons and rewards with their campaigns. A coupon that two codes mean counts once.
func (svc *Service) readOffers(tx *db.Tx, c *checkout) error {
	customerID := ""
	if c.customer != nil {
		customerID = c.customer.ID
	}
	if err := purchase.FindShown(tx, c.store, customerID, c.coupons); err != nil {
		return err
	}
	var ids []string
	seen := map[string]bool{}
	for i := range c.coupons {
		shown := &c.coupons[i]
		if of := shown.Coupon; of != nil {
			if seen[of.CouponID] {
				continue
			}
			seen[of.CouponID] = true
			ids = append(ids, of.CampaignID)
		}
		c.offers = append(c.offers, offer{shown: shown, chosen: -1})
	}
	if len(ids) > 0 {
		counters, err := campaign.CountersOf(tx, c.store.Key, db.Distinct(ids)...)
		if err != nil {
			return err
		}
		campaigns, err := svc.desk.Catalogue.Load(tx, c.store, counters)
		if err != nil {
			return err
		}
		for i := range c.offers {
			if of := c.offers[i].shown.Coupon; of != nil {
				c.offers[i].campaign = campaigns[of.CampaignID]
			}
		}
	}
	if c.shopper == nil {
		return nil
	}
	wishes, err := c.shopper.Wishes(c.role, c.locale, c.rewards)
	for i := range wishes {
		c.offers = append(c.offers, offer{wish: &wishes[i], campaign: wishes[i].Campaign, chosen: -1})
	}
	return err
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

// follow computes what the sale brings its customer.
func (svc *Service) follow(tx *db.Tx, c *checkout) (err error) {
	if c.customer == nil {
		return nil
	}
	if c.forecast, err = svc.earning.Forecast(tx, c.store, c.customer, c.shopper.Segments, c.sale); err != nil {
		return err
	}
	c.account = c.shopper.Account.After(c.store, c.cost, c.forecast.Points)
	c.standing, err = membership.After(tx, c.store, c.shopper.Levels, c.customer, c.account, c.sale.Purchases(),
		c.forecast.Points)
	if err != nil {
		return err
	}
	c.affordable, c.next, err = c.shopper.Within(c.account.Points, RewardsShown)
	return err
}

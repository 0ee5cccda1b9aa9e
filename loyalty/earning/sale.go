package earning

import (
	"slices"

	"punchcard/core/api"
	"punchcard/core/config"
	"punchcard/core/store"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
)

// earnings decides and pays the points of sales of different customers. See
// docs/behaviour/earning-rules.md#points-of-a-purchase.
type earnings struct {
	svc   *Service
	tx    *db.Tx
	store *store.Store

	rules      []Rule // of sales
	first      []Rule // of first sales
	referrals  []Rule
	bySegments bool // a rule is for segments

	segments map[string][]customer.Segment
	bySale   map[string]*earned
}

// earned holds the points and rewards of one sale.
type earned struct {
	Result
	by *referral // nil unless the customer was invited and the sale concerns the invitation
}

// Earn begins to decide what sales earn their customers: points, instant rewards, and points for the first sale and for
// invitations. It is a hook of transactions.
func (svc *Service) Earn(tx *db.Tx, s *store.Store) (transaction.Earnings, []db.Query) {
	return &earnings{svc: svc, tx: tx, store: s}, config.Versions(tx, s.Key)
}

func (e *earnings) readRules() error {
	e.rules, e.first, e.referrals, e.bySegments = nil, nil, nil, false
	all, err := activeRules.Of(e.tx, e.store.Key)
	for _, r := range all {
		switch {
		case r.Type == Referral:
			e.referrals = append(e.referrals, r)
		case r.Type == Event && r.EventName == firstTransaction:
			e.first = append(e.first, r)
		case slices.Contains(e.svc.onSale, r.Type):
			e.rules = append(e.rules, r)
		default:
			continue
		}
		e.bySegments = e.bySegments || len(r.Definition.Segments) > 0
	}
	return err
}

// Decide decides what sales earn, and gives instant rewards. Pay gives the points.
func (e *earnings) Decide(sales []transaction.Sold) (err error) {
	if err := e.readRules(); err != nil {
		return err
	}
	accounts := make([]string, len(sales))
	for i := range sales {
		accounts[i] = sales[i].Buyer.ID
	}
	if e.bySegments {
		if e.segments, err = segment.OfCustomers(e.tx, e.store.Key, db.Distinct(accounts)...); err != nil {
			return err
		}
	}
	e.bySale = make(map[string]*earned, len(sales))
	var gifts []purchase.Gift
	for _, of := range sales {
		earns := &earned{Result: e.svc.Evaluate(e.store, usableFor(e.earner(of.Buyer), e.rules, of.Sale), of.Sale)}
		if earns.by, err = referralOfSale(e.tx, e.store, of.Buyer, e.referrals); err != nil {
			return err
		}
		e.bySale[of.Sale.ID], of.Sale.LinePoints = earns, earns.lines
		if len(earns.Rewards) > 0 {
			gifts = append(gifts, gift(of.Sale, earns.Rewards))
		}
	}
	return e.give(gifts, db.Distinct(append(accounts, e.Others()...)))
}

func (e *earnings) earner(c *customer.Customer) Earner { return earnerOf(c, e.segments[c.ID]) }

// give gives instant rewards at no cost. Rewards of campaigns that are sold out or whose limit is reached are skipped,
// so that they do not fail a sale. The accounts are those that the sales lock.
func (e *earnings) give(gifts []purchase.Gift, accounts []string) error {
	if len(gifts) == 0 {
		return nil
	}
	languages, err := store.AllLanguages(e.tx)
	if err != nil {
		return err
	}
	_, err = e.svc.desk.Grant(e.tx, e.store, languages.Default(), accounts, gifts...)
	return err
}

func gift(sale *transaction.Transaction, rewards []Rule) purchase.Gift {
	g := purchase.Gift{CustomerID: sale.CustomerID, TransactionID: sale.ID, Gross: sale.Amounts.Gross}
	for i := range rewards {
		g.CampaignIDs = append(g.CampaignIDs, rewards[i].Definition.RewardCampaignID)
	}
	return g
}

// Others returns the customers who invited those of the sales, and may earn by them.
func (e *earnings) Others() []string {
	var ids []string
	for _, earns := range e.bySale {
		ids = append(ids, earns.by.referrer()...)
	}
	return ids
}

// Pay gives the points of a sale. The locked accounts exclude concurrent sales.
func (e *earnings) Pay(sale *transaction.Transaction, buyer *membership.Member, members *membership.Members) error {
	earns := e.bySale[sale.ID]
	var payments []payment
	if earns.Points > 0 {
		payments = append(payments, payment{customerID: buyer.ID, grant: points.Grant{
			Value: earns.Points, Comment: earns.Comment, Issuer: points.BySystem, TransactionID: sale.ID,
			CreatedAt: e.tx.Now(),
		}})
	}
	if len(e.first) > 0 || earns.by != nil {
		who := e.earner(buyer.Customer)
		best, err := e.firstSale(buyer.ID, who)
		if err != nil {
			return err
		}
		if best != nil {
			payments = append(payments, e.svc.payment(e.tx, best, buyer.ID))
		}
		referred, err := e.svc.referred(e.tx, e.store, earns.by, who)
		if err != nil {
			return err
		}
		payments = append(payments, referred...)
	}
	for _, p := range payments {
		p.payTo(members, e.store)
	}
	return nil
}

// firstSale returns the rule that pays for the customer's first sale, or nil. A customer whose sales were all returned
// has none again, so it notes that the first one was there, whether or not a rule pays for it.
func (e *earnings) firstSale(customerID string, who Earner) (*Rule, error) {
	if len(e.first) == 0 || who.Sales > 0 {
		return nil, nil
	}
	first, err := happenedFirst(e.tx, e.store.Key, customerID, firstTransaction)
	if err != nil || !first {
		return nil, err
	}
	return Best(usable(e.tx, e.first, who)), nil
}

// Simulate returns the points that a sale would earn its customer, without giving them.
func (svc *Service) Simulate(tx *db.Tx, s *store.Store, sale *transaction.Transaction) (points.Amount, error) {
	who, segments, err := readBuyer(tx, s, sale)
	if err != nil {
		return 0, err
	}
	rules, err := svc.ReadSaleRules(tx, s.Key)
	if err != nil {
		return 0, err
	}
	return svc.Forecast(s, rules, who, segments, sale).Points, nil
}

// ExplainSale is Simulate with the reasons. The sale may have no customer.
func (svc *Service) ExplainSale(tx *db.Tx, s *store.Store, locale api.Locale, sale *transaction.Transaction) (
	points.Amount, []transaction.ExplainedRule, error) {
	if sale.CustomerID == "" {
		return svc.Explain(tx, s, locale, nil, nil, sale)
	}
	who, segments, err := readBuyer(tx, s, sale)
	if err != nil {
		return 0, nil, err
	}
	return svc.Explain(tx, s, locale, who, segments, sale)
}

// readBuyer reads the customer of a sale with their segments.
func readBuyer(tx *db.Tx, s *store.Store, sale *transaction.Transaction) (
	*customer.Customer, []customer.Segment, error) {
	who, err := customer.Find(tx, s.Key, sale.CustomerID)
	if err != nil {
		return nil, nil, err
	}
	segments, err := segment.OfCustomers(tx, s.Key, who.ID)
	return who, segments[who.ID], err
}

package demo

import (
	"fmt"
	"math/rand/v2"
	"time"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
	"punchcard/platform/event"
)

const (
	receiptsMost  = 3  // of one customer
	linesMost     = 3  // of one receipt
	returnPercent = 5  // of the receipts
	purchasesMost = 4  // of one customer
	usedPercent   = 35 // of the coupons that can be used at once
)

// lives returns what happens to the people besides receipts and purchases: they register and get points, some spend
// points at the till, and some are blocked in the end.
func (l *loader) lives(everybody []person) (actions []action) {
	for i := range everybody {
		p := &everybody[i]
		actions = append(actions, action{p.CreatedAt, func(tx *db.Tx, s *store.Store) error { return l.join(tx, s, p) }})
		last := p.CreatedAt
		for _, grant := range p.grants {
			last = grant.CreatedAt
			actions = append(actions, action{last, func(tx *db.Tx, s *store.Store) error {
				return membership.Change(tx, s, l.ids[p.Email], func(w *points.Wallet) (event.Entry, error) {
					_, added := w.Add(grant)
					return added, nil
				})
			}})
		}
		if p.spentTenths > 0 {
			actions = append(actions, action{between(last, l.now, 1), func(tx *db.Tx, s *store.Store) error {
				return l.spend(tx, s, p)
			}})
		}
		if p.isBlocked {
			actions = append(actions, action{l.now, func(tx *db.Tx, s *store.Store) error {
				return customer.Deactivate(tx, s, l.ids[p.Email])
			}})
		}
	}
	return actions
}

// between returns the moment at so many quarters of the time between two moments.
func between(from, to time.Time, quarters time.Duration) time.Time {
	return from.Add(to.Sub(from) / 4 * quarters)
}

func (l *loader) join(tx *db.Tx, s *store.Store, p *person) error {
	in := p.Registration
	if p.tier > 0 {
		in.LevelID = l.levels[p.tier]
	}
	added, err := customer.Register(tx, s, in)
	if err != nil {
		return err
	}
	l.ids[p.Email] = added.ID
	if p.activates {
		return customer.Activate(tx, s, added.ID)
	}
	return nil
}

// spend spends some tenths of a person's whole thousands of points.
func (l *loader) spend(tx *db.Tx, s *store.Store, p *person) error {
	id := l.ids[p.Email]
	account, err := points.Balance(tx, s, id)
	value := account.Points / 1000 * 100 * points.Amount(p.spentTenths)
	if err != nil || value <= 0 {
		return err
	}
	return membership.Change(tx, s, id, func(w *points.Wallet) (spent event.Entry, err error) {
		_, spent, err = w.Spend(value, "Exchanged at the till", points.BySeller)
		return spent, err
	})
}

// receipts returns the receipts of the people, and some returns, each within a quarter of the time that is left.
func (l *loader) receipts(everybody []person) (actions []action) {
	rng := draws(streamTill)
	for i := range everybody {
		for n := range rng.IntN(receiptsMost + 1) {
			sale := l.receipt(rng, &everybody[i], fmt.Sprintf("R-%04d-%d", i, n))
			actions = append(actions, l.register(sale))
			if chance(rng, returnPercent) {
				back := sale
				back.Type, back.RevisedDocument = transaction.Return, sale.DocumentNumber
				back.DocumentNumber += "-BACK"
				back.Items, back.PurchasedAt = sale.Items[:1], between(sale.PurchasedAt, l.now, 1)
				actions = append(actions, l.register(back))
			}
		}
	}
	l.sales = len(actions)
	return actions
}

// register returns the action that registers a receipt.
func (l *loader) register(t transaction.Transaction) action {
	return action{t.PurchasedAt, func(tx *db.Tx, s *store.Store) error {
		if _, err := transaction.Register(tx, s, t, l.hooks); err != nil {
			return fmt.Errorf("%s: %w", t.DocumentNumber, err)
		}
		return nil
	}}
}

func (l *loader) receipt(rng *rand.Rand, p *person, number string) transaction.Transaction {
	t := transaction.Transaction{
		DocumentNumber: number, Type: transaction.Sell, POSID: pick(rng, l.shops),
		PurchasedAt:  l.draw(rng, p.CreatedAt),
		CustomerData: transaction.CustomerData{Name: p.FirstName + " " + p.LastName, Email: p.Email},
	}
	for range 1 + rng.IntN(linesMost) {
		sold, quantity := pick(rng, goods), 1+rng.Int64N(3)
		t.Items = append(t.Items, sold.line(quantity))
	}
	return t
}

// draw draws a moment after another one.
func (l *loader) draw(rng *rand.Rand, after time.Time) time.Time {
	return after.Add(time.Duration(rng.Int64N(int64(l.now.Sub(after)) + 1))).Truncate(time.Second)
}

// line returns the item of a receipt with so many pieces.
func (p product) line(quantity int64) transaction.Item {
	item := transaction.Item{
		SKU: transaction.SKU{Code: p.sku}, Name: p.name, Quantity: decimal.Thousandths(quantity * 1000),
		GrossValue: decimal.Hundredths(quantity * p.price).Money(), Category: p.category, Maker: p.maker,
		Labels: []transaction.Label{},
	}
	if p.roast != "" {
		item.Labels = append(item.Labels, transaction.Label{Key: "roast", Value: p.roast})
	}
	return item
}

// purchases returns the purchases of the people. The customer who logs in buys the first two offers that they can
// afford, and uses the first.
func (l *loader) purchases(everybody []person) (actions []action) {
	rng := draws(streamShop)
	for i := range everybody {
		email := everybody[i].Email
		if i == 0 {
			for n := range 2 {
				actions = append(actions, action{between(l.now.AddDate(0, 0, -2), l.now, time.Duration(n+1)),
					func(tx *db.Tx, s *store.Store) error { return l.buy(tx, s, email, n, n == 0) }})
			}
			continue
		}
		for range rng.IntN(purchasesMost + 1) {
			nth, use := rng.IntN(len(offers)), chance(rng, usedPercent)
			actions = append(actions, action{l.draw(rng, everybody[i].CreatedAt), func(tx *db.Tx, s *store.Store) error {
				return l.buy(tx, s, email, nth, use)
			}})
		}
	}
	return actions
}

// buy buys one of the campaigns that a customer can afford at this moment, if there are any: the one at a position,
// counted around. use marks the coupon as used, if that is possible at once.
func (l *loader) buy(tx *db.Tx, s *store.Store, email string, nth int, use bool) error {
	id := l.ids[email]
	choice, err := l.affordable(tx, s, id)
	if err != nil || len(choice) == 0 {
		return err
	}
	c := choice[nth%len(choice)]
	outcomes, err := l.desk.BuyIn(tx, s, purchase.Buy{
		Store: s, CustomerID: id, CampaignID: c.ID, Quantity: 1, Locale: "en",
	})
	if err == nil {
		err = outcomes[0].Err
	}
	if err != nil {
		return err
	}
	l.sold++
	l.bought[[2]string{id, c.ID}]++
	if !use || c.DaysInactive > 0 {
		return nil
	}
	l.used++
	coupon := outcomes[0].Value[0]
	return purchase.MarkUsed(tx, s, []purchase.Mark{{
		CustomerID: id, CampaignID: c.ID, CouponID: coupon.ID, Code: coupon.Code, Used: true,
	}})
}

// affordable lists the campaigns that a customer can buy now, in the order of offers.
func (l *loader) affordable(tx *db.Tx, s *store.Store, id string) (found []*campaign.Campaign, err error) {
	buyers, err := customer.Buyers(tx, s.Key, []string{id})
	who := buyers[id]
	if err != nil || who.Status != customer.Active {
		return nil, err
	}
	campaigns, err := l.desk.Catalogue.FindAll(tx, s.Key, l.campaigns...)
	if err != nil {
		return nil, err
	}
	counters, err := campaign.CountersOf(tx, s.Key, l.campaigns...)
	if err != nil {
		return nil, err
	}
	account, err := points.Balance(tx, s, id)
	for _, campaignID := range l.campaigns {
		c, k := campaigns[campaignID], counters[campaignID]
		isOffered := c.ActiveAt(tx.Now()) && c.VisibleAt(tx.Now()) && c.TargetsLevel(who.LevelID)
		isLeft := c.UsageLeft(k) > 0 && c.UsageLeftFor(k, l.bought[[2]string{id, campaignID}]) > 0
		if isOffered && isLeft && c.Cost <= account.Points {
			found = append(found, c)
		}
	}
	return found, err
}

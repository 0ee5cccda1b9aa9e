package demo

import (
	"context"
	"slices"
	"sync"

	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
)

const (
	buyers         = 64 // who buy at once; what waits at the desk forms sets
	purchasesMost  = 4  // of one customer
	usedPercent    = 35 // of the coupons that can be used at once
	markedTogether = 50 // coupons in one transaction
)

// wish is a planned purchase, and whether its coupon is used afterwards.
type wish struct {
	purchase.Buy
	use bool
}

// shop makes the members buy what they can afford, and use some of the coupons.
func (l *loader) shop(ctx context.Context) (bought, used int, err error) {
	var wishes []wish
	err = l.db.Read(ctx, func(tx *db.Tx) (err error) {
		wishes, err = l.wishes(tx)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	coupons, err := l.buy(ctx, wishes)
	if err != nil {
		return 0, 0, err
	}
	var marks []purchase.Mark
	for i, w := range wishes {
		if w.use {
			marks = append(marks, purchase.Mark{
				CustomerID: w.CustomerID, CampaignID: w.CampaignID,
				CouponID: coupons[i].ID, Code: coupons[i].Code, Used: true,
			})
		}
	}
	for group := range slices.Chunk(marks, markedTogether) {
		err := l.db.Write(ctx, func(tx *db.Tx) error { return purchase.MarkUsed(tx, l.store, group) })
		if err != nil {
			return 0, 0, err
		}
	}
	return len(wishes), len(marks), nil
}

// wishes chooses purchases that all succeed, in any order.
func (l *loader) wishes(tx *db.Tx) ([]wish, error) {
	ids := make([]string, len(l.members))
	for i, m := range l.members {
		ids[i] = m.id
	}
	known, err := customer.Buyers(tx, l.store.Key, ids)
	if err != nil {
		return nil, err
	}
	languages, err := store.AllLanguages(tx)
	if err != nil {
		return nil, err
	}
	sh := shelf{loader: l, mine: map[[2]string]int64{}}
	if sh.campaigns, err = l.desk.Catalogue.FindAll(tx, l.store.Key, l.campaigns...); err != nil {
		return nil, err
	}
	if sh.counters, err = campaign.CountersOf(tx, l.store.Key, l.campaigns...); err != nil {
		return nil, err
	}
	rng := draws(streamShop)
	var chosen []wish
	for i, m := range l.members {
		who, balance := known[m.id], m.balance
		wanted := rng.IntN(purchasesMost + 1)
		if i == 0 {
			wanted = 2
		}
		for n := range wanted {
			choice := sh.affordable(who, balance)
			if len(choice) == 0 {
				break
			}
			c, use := choice[rng.IntN(len(choice))], rng.IntN(100) < usedPercent
			if i == 0 { // user@example.com has bought the first two offers and used the first
				c, use = choice[n], n == 0
			}
			sh.take(who, c)
			balance -= c.Cost
			chosen = append(chosen, wish{use: use && c.DaysInactive == 0, Buy: purchase.Buy{
				Store: l.store, CustomerID: who.ID, CampaignID: c.ID, Quantity: 1, Locale: languages.Default(),
			}})
		}
	}
	return chosen, nil
}

// shelf holds the campaigns with the number of coupons that would be left.
type shelf struct {
	*loader
	campaigns map[string]*campaign.Campaign
	counters  map[string]campaign.Counters
	mine      map[[2]string]int64 // by customer and campaign: bought so far
}

// affordable lists the campaigns that the customer could buy now, in the order of offers.
func (sh *shelf) affordable(who *customer.Buyer, balance points.Amount) []*campaign.Campaign {
	if who.Status != customer.Active {
		return nil
	}
	var found []*campaign.Campaign
	for _, id := range sh.loader.campaigns {
		c, k := sh.campaigns[id], sh.counters[id]
		isOffered := c.ActiveAt(sh.now) && c.VisibleAt(sh.now) && c.TargetsLevel(who.LevelID)
		isLeft := c.UsageLeft(k) > 0 && c.UsageLeftFor(k, sh.mine[[2]string{who.ID, id}]) > 0
		if isOffered && isLeft && c.Cost <= balance {
			found = append(found, c)
		}
	}
	return found
}

func (sh *shelf) take(who *customer.Buyer, c *campaign.Campaign) {
	k := sh.counters[c.ID]
	k.Sold++
	k.NextPosition++
	sh.counters[c.ID] = k
	sh.mine[[2]string{who.ID, c.ID}]++
}

// buy makes all purchases concurrently, and stops at the first error.
func (l *loader) buy(ctx context.Context, wishes []wish) ([]purchase.Coupon, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	coupons := make([]purchase.Coupon, len(wishes))
	next := make(chan int)
	var shoppers sync.WaitGroup
	for range buyers {
		shoppers.Go(func() {
			for i := range next {
				got, err := l.desk.Buy(ctx, wishes[i].Buy)
				if err != nil {
					stop(err)
					continue
				}
				coupons[i] = got[0]
			}
		})
	}
	for i := range wishes {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	shoppers.Wait()
	return coupons, context.Cause(ctx)
}

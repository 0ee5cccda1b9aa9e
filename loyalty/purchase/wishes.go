package purchase

import (
	"maps"
	"slices"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// Shopper is a customer who may buy rewards, with what decides about it.
type Shopper struct {
	Account  points.Account
	Segments []customer.Segment
	Levels   []level.Level // of the store

	id    string
	batch *offerBatch
}

// ReadShoppers reads customers, by their ids. Those who are deleted are missing.
func (d *Desk) ReadShoppers(tx *db.Tx, s *store.Store, ids ...string) (map[string]*Shopper, error) {
	b := newOfferBatch(tx, d.Catalogue, s)
	if err := b.readCustomers(ids); err != nil {
		return nil, err
	}
	shoppers := make(map[string]*Shopper, len(ids))
	for _, id := range ids {
		if b.check(&offerRequest{customerID: id}) == nil {
			shoppers[id] = &Shopper{
				Account: b.accounts[id], Segments: b.segments[id], Levels: b.levels, id: id, batch: b,
			}
		}
	}
	return shoppers, nil
}

// Wish is a reward that a customer wants.
type Wish struct {
	CampaignID  string
	Campaign    *campaign.Campaign // nil for an unknown one
	Explanation []api.Finding      // the rules of the purchase, after the wishes before it
}

// CanBuy reports whether all rules of the purchase pass.
func (w *Wish) CanBuy() bool {
	return w.Campaign != nil && api.AllPassed(w.Explanation)
}

// Wishes explains the purchase of rewards, one after the other, to staff.
func (s *Shopper) Wishes(role access.Role, locale api.Locale, campaignIDs []string) ([]Wish, error) {
	if len(campaignIDs) == 0 {
		return nil, nil
	}
	b := s.batch
	counters, err := campaign.CountersOf(b.tx, b.store.Key, db.Distinct(campaignIDs)...)
	if err != nil {
		return nil, err
	}
	known, err := b.catalogue.Load(b.tx, b.store, counters)
	if err != nil {
		return nil, err
	}
	bought := map[string]map[string]int64{s.id: maps.Clone(b.bought[s.id])} // the batch counts its own
	if err := countRecent(b.tx, b.store, known, bought); err != nil {
		return nil, err
	}
	countHeld(&s.Account, bought[s.id])
	by := shopper{now: b.tx.Now(), zone: b.store.Zone, points: s.Account.Points, bought: bought[s.id]}
	e := explainer{role: role, standing: b.customers[s.id], segments: s.Segments}
	if by.why, err = newExplainer(b.tx, b.store.Key, e, locale, maps.Values(known)); err != nil {
		return nil, err
	}
	p := plan{campaigns: campaignIDs}
	wishes := make([]Wish, len(campaignIDs))
	for i, v := range p.judge(known, counters, by).Campaigns {
		wishes[i] = Wish{v.CampaignID, known[v.CampaignID], v.Explanation}
	}
	return wishes, nil
}

// searchedAround is how many campaigns on either side of an amount of points FindReach looks at: some may be sold out
// or used up.
const searchedAround = 50

// Reach holds the rewards that a customer can have for an amount of points.
type Reach struct {
	Shopper *Shopper
	Amount  points.Amount

	Affordable []*campaign.Campaign // dearest first
	Next       *campaign.Campaign   // the cheapest of those that cost more, or nil
}

// FindReach sets the rewards of each amount, at most as many as shown of those that are affordable. The customers were
// read together.
func FindReach(shown int, all ...*Reach) error {
	if len(all) == 0 {
		return nil
	}
	b := all[0].Shopper.batch
	around := make([]campaign.Around, len(all))
	for i, r := range all {
		around[i] = campaign.Around{
			Offer: campaign.Offer{Sold: true, Targets: b.targets[r.Shopper.id]}, Amount: r.Amount,
		}
	}
	counters, err := b.catalogue.OffersAround(b.tx, b.store, b.changes, searchedAround, around)
	if err != nil {
		return err
	}
	known, err := b.catalogue.Load(b.tx, b.store, counters)
	if err != nil {
		return err
	}
	bought := map[string]map[string]int64{}
	for _, r := range all {
		bought[r.Shopper.id] = maps.Clone(b.bought[r.Shopper.id])
	}
	if err := countRecent(b.tx, b.store, known, bought); err != nil {
		return err
	}
	for id, counts := range bought {
		account := b.accounts[id]
		countHeld(&account, counts)
	}
	for i, r := range all {
		of := &around[i]
		for _, id := range of.Offer.Left(of.Offered, of.Offer.Targets, bought[r.Shopper.id]) {
			switch c := known[id]; {
			case c.Cost <= r.Amount:
				r.Affordable = append(r.Affordable, c)
			case r.Next == nil:
				r.Next = c
			}
		}
		slices.Reverse(r.Affordable)
		r.Affordable = r.Affordable[:min(shown, len(r.Affordable))]
	}
	return nil
}

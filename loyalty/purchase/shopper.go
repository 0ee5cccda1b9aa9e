package purchase

import (
	"maps"
	"slices"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/store"
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

// ReadShopper reads a customer who is not deleted.
func (d *Desk) ReadShopper(tx *db.Tx, s *store.Store, customerID string) (*Shopper, error) {
	b := newOfferBatch(tx, d.Catalogue, s)
	if err := b.readCustomers([]string{customerID}); err != nil {
		return nil, err
	}
	err := b.check(&offerRequest{customerID: customerID})
	return &Shopper{
		Account: b.accounts[customerID], Segments: b.segments[customerID], Levels: b.levels, id: customerID, batch: b,
	}, err
}

// Wish is a reward that a customer wants.
type Wish struct {
	CampaignID  string
	Campaign    *campaign.Campaign // nil for an unknown one
	Explanation []Finding          // the rules of the purchase, after the wishes before it
}

// CanBuy reports whether all rules of the purchase pass.
func (w *Wish) CanBuy() bool {
	return w.Campaign != nil && !slices.ContainsFunc(w.Explanation, func(f Finding) bool { return !f.Passed })
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

// searchedAround is how many campaigns on either side of an amount of points Within looks at: some may be sold out or
// used up.
const searchedAround = 50

// Within returns rewards that the customer can have for an amount of points, dearest first and at most as many as
// shown, and the cheapest of those that cost more, or nil.
func (s *Shopper) Within(amount points.Amount, shown int) (affordable []*campaign.Campaign, next *campaign.Campaign,
	err error) {
	b := s.batch
	offer := campaign.Offer{Sold: true, Targets: b.targets[s.id]}
	list, counters, err := b.catalogue.OffersAround(b.tx, b.store, b.changes, offer, amount, searchedAround)
	if err != nil {
		return nil, nil, err
	}
	known, err := b.catalogue.Load(b.tx, b.store, counters)
	if err != nil {
		return nil, nil, err
	}
	bought := map[string]map[string]int64{s.id: maps.Clone(b.bought[s.id])}
	if err := countRecent(b.tx, b.store, known, bought); err != nil {
		return nil, nil, err
	}
	for _, id := range offer.Left(list, offer.Targets, bought[s.id]) {
		switch c := known[id]; {
		case c.Cost <= amount:
			affordable = append(affordable, c)
		case next == nil:
			next = c
		}
	}
	slices.Reverse(affordable)
	return affordable[:min(shown, len(affordable))], next, nil
}

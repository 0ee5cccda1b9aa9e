package purchase

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"punchcard/api"
	"punchcard/campaign"
	"punchcard/customer"
	"punchcard/platform/db"
	"punchcard/platform/fault"
	"punchcard/points"
	"punchcard/segment"
	"punchcard/store"
)

// offerAsk asks what a customer can have.
type offerAsk struct {
	store      *store.Store
	customerID string
	asked      api.Asked
	wanted     offerAsked
	withCodes  bool
}

// offerPage is the answer: the page of campaigns, and how many there are on all pages.
type offerPage struct {
	shown
	encoded *sync.Map // JSON of campaigns, shared by those who are shown the same
	total   int64
	ids     []string
	account points.Account // with the points that are to be added
}

// offer answers a set of questions with a few statements for each store, as many ask the same at once.
func (d *Desk) offer(tx *db.Tx, asks []offerAsk) ([]db.Outcome[offerPage], error) {
	outcomes := make([]db.Outcome[offerPage], len(asks))
	byStore := map[int64][]int{}
	for i, ask := range asks {
		byStore[ask.store.Key] = append(byStore[ask.store.Key], i)
	}
	for _, members := range byStore {
		set := &offerSet{tx: tx, store: asks[members[0]].store, lists: map[string][]campaign.Offered{}}
		set.store.EnterTime(tx)
		ids := make([]string, len(members))
		for n, i := range members {
			ids[n] = asks[i].customerID
		}
		if err := set.readCustomers(ids); err != nil {
			return nil, err
		}
		for _, i := range members {
			var err error
			if outcomes[i].Value, outcomes[i].Err, err = set.decide(&asks[i]); err != nil {
				return nil, err
			}
		}
		if err := set.show(d, asks, members, outcomes); err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

// offerSet is the part of a set that belongs to one store.
type offerSet struct {
	tx       *db.Tx
	store    *store.Store
	buyers   map[string]*customer.Buyer
	accounts map[string]points.Account
	targets  map[string][]string           // of each customer
	all      []string                      // of them, different
	lists    map[string][]campaign.Offered // by what was asked for
}

func (s *offerSet) readCustomers(ids []string) (err error) {
	ids = db.Distinct(ids)
	var segments map[string][]customer.Segment
	if err = s.tx.Together(
		func() error { return db.Into(&s.buyers)(customer.Buyers(s.tx, s.store.Key, ids)) },
		func() error { return db.Into(&s.accounts)(points.Balances(s.tx, s.store, ids...)) },
		func() error { return db.Into(&segments)(segment.OfCustomers(s.tx, s.store.Key, ids...)) },
	); err != nil {
		return err
	}
	s.targets = make(map[string][]string, len(s.buyers))
	for id, buyer := range s.buyers {
		s.targets[id] = targets(buyer, segments[id])
		s.all = append(s.all, s.targets[id]...)
	}
	s.all = db.Distinct(s.all)
	return nil
}

// decide finds the page of one question. refused is an answer, err fails the set.
func (s *offerSet) decide(ask *offerAsk) (page offerPage, refused, err error) {
	buyer, account := s.buyers[ask.customerID], s.accounts[ask.customerID]
	if ask.wanted.wrong != nil { // only now: who does not exist comes before what is wrong
		refused = ask.wanted.wrong
	}
	if buyer == nil || buyer.Status == customer.Deleted || account.ID == "" {
		refused = fault.ErrNotFound
	}
	if refused != nil {
		return page, refused, nil
	}
	list, err := s.list(ask)
	if err != nil {
		return page, nil, err
	}
	left := ask.wanted.Left(list, s.targets[buyer.ID], account.Bought)
	account.Points = added(account.Points, ask.wanted.additional)
	return offerPage{total: int64(len(left)), ids: ask.asked.Of(left), account: account}, nil, nil
}

// list is what the customers of the set can have; it is read once for all who ask the same.
func (s *offerSet) list(ask *offerAsk) ([]campaign.Offered, error) {
	offer := ask.wanted.Offer
	order := api.Page{Sort: ask.asked.Sort, Descending: ask.asked.Descending}
	key, err := json.Marshal([]any{offer, order, ask.asked.Locale})
	if err != nil {
		return nil, err
	}
	list, known := s.lists[string(key)]
	if !known {
		offer.Targets = s.all
		list, err = campaign.Offers(s.tx, s.store.Key, offer, order, ask.asked.Locale)
		s.lists[string(key)] = list
	}
	return list, err
}

// Announced lists, for each of different customers who are active, the campaigns that he is to be told of: those that
// endpoint 27 lists for him and that can be bought from now. only names the campaigns that are asked about, nil all.
func Announced(tx *db.Tx, s *store.Store, only []string, customerIDs ...string) (map[string][]string, error) {
	set := &offerSet{tx: tx, store: s, lists: map[string][]campaign.Offered{}}
	if err := set.readCustomers(customerIDs); err != nil {
		return nil, err
	}
	byCustomer := map[string][]string{}
	ask := &offerAsk{}
	ask.wanted.Announce, ask.wanted.Only = true, only
	list, err := set.list(ask)
	if err != nil {
		return nil, err
	}
	for id, buyer := range set.buyers {
		if buyer.Status == customer.Active {
			byCustomer[id] = ask.wanted.Left(list, set.targets[id], set.accounts[id].Bought)
		}
	}
	return byCustomer, nil
}

// show reads what the views of all pages need, once for each language.
func (s *offerSet) show(d *Desk, asks []offerAsk, members []int, outcomes []db.Outcome[offerPage]) error {
	type kind struct {
		locale    api.Locale
		withCodes bool
	}
	pages := map[kind][]int{}
	for _, i := range members {
		if len(outcomes[i].Value.ids) > 0 {
			of := kind{asks[i].asked.Locale, asks[i].withCodes}
			pages[of] = append(pages[of], i)
		}
	}
	for of, alike := range pages {
		ids := map[string]bool{}
		for _, i := range alike {
			for _, id := range outcomes[i].Value.ids {
				ids[id] = true
			}
		}
		shown, err := d.Catalogue.Show(s.tx, s.store, of.locale, of.withCodes, slices.Collect(maps.Keys(ids))...)
		if err != nil {
			return err
		}
		encoded := &sync.Map{}
		for _, i := range alike {
			outcomes[i].Value.Shown, outcomes[i].Value.encoded = shown, encoded
		}
	}
	return nil
}

package purchase

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/level"
	"punchcard/loyalty/points"
	"punchcard/loyalty/segment"
	"punchcard/platform/db"
	"punchcard/platform/db/batch"
	"punchcard/platform/fault"
	"punchcard/platform/web"
)

// offerRequest is a request for the campaigns that a customer can have.
type offerRequest struct {
	store      *store.Store
	customerID string
	list       api.ListRequest
	wanted     offerQuery
	withCodes  bool
	role       access.Role // of the caller
}

// offerPage is a page of campaigns, and the total of all pages.
type offerPage struct {
	views  map[string]*offerView // of the campaigns
	total  int64
	ids    []string
	points points.Amount    // of the customer, with the additional points of the request
	bought map[string]int64 // how often the customer bought them
	now    time.Time
	zone   *time.Location
	why    *explainer // nil unless the request asks for explanations
}

// offerView is a campaign in one language. The JSON that is the same for all customers, nearly all of it, is encoded
// once.
type offerView struct {
	campaignViews
	campaign *campaign.Campaign
	counters campaign.Counters
	encoded  web.Encodings // by the type of the view
}

// offer answers requests of one store with a few statements. Equal queries share their lists.
func (d *Desk) offer(tx *db.Tx, s *store.Store, requests []offerRequest) ([]batch.Outcome[offerPage], error) {
	b := newOfferBatch(tx, d.Catalogue, s)
	ids := make([]string, len(requests))
	for i := range requests {
		ids[i] = requests[i].customerID
	}
	if err := b.readCustomers(ids); err != nil {
		return nil, err
	}
	outcomes, lists := make([]batch.Outcome[offerPage], len(requests)), make([][]campaign.Offered, len(requests))
	for i := range requests {
		if outcomes[i].Err = b.check(&requests[i]); outcomes[i].Err != nil {
			continue
		}
		var err error
		if lists[i], err = b.list(&requests[i]); err != nil {
			return nil, err
		}
	}
	if err := b.countRecent(); err != nil {
		return nil, err
	}
	for i := range requests {
		if outcomes[i].Err == nil {
			outcomes[i].Value = b.page(&requests[i], lists[i])
		}
	}
	if err := b.show(requests, outcomes); err != nil {
		return nil, err
	}
	return outcomes, b.explain(requests, outcomes)
}

// offerBatch reads what customers of one store can have.
type offerBatch struct {
	tx        *db.Tx
	catalogue *campaign.Catalogue
	store     *store.Store
	changes   int64 // of the store's campaigns
	levels    []level.Level
	customers map[string]customer.Standing
	accounts  map[string]points.Account
	segments  map[string][]customer.Segment // of each customer
	targets   map[string][]string           // of each customer
	all       []string                      // of all customers, distinct and sorted
	lists     map[string][]campaign.Offered // by query
	counters  map[string]campaign.Counters  // of the campaigns in the lists
	bought    map[string]map[string]int64   // purchases by customer and campaign
}

func newOfferBatch(tx *db.Tx, k *campaign.Catalogue, s *store.Store) *offerBatch {
	return &offerBatch{tx: tx, catalogue: k, store: s, lists: map[string][]campaign.Offered{},
		counters: map[string]campaign.Counters{}}
}

func (s *offerBatch) readCustomers(ids []string) error {
	ids = db.Distinct(ids)
	customers, selectStandings := customer.SelectStandings(s.tx, s.store.Key, ids)
	accounts, selectBalances := points.SelectBalances(s.tx, s.store, ids...)
	bought, selectBought := points.SelectBought(s.tx, s.store.Key, ids...)
	segments, selectSegments := segment.SelectOfCustomers(s.tx, s.store.Key, ids...)
	queries, countLevels := level.Counting(s.tx, s.store.Key)
	err := s.tx.Run(append(queries,
		campaign.SelectChanges(s.store.Key, &s.changes), // before the campaigns
		selectStandings, selectBalances, selectBought, selectSegments)...)
	if err != nil {
		return err
	}
	if s.levels, err = countLevels(); err != nil {
		return err
	}
	s.customers, s.accounts, s.bought, s.segments = customers, accounts, bought, segments
	s.targets = make(map[string][]string, len(s.customers))
	for id, of := range s.customers {
		s.targets[id] = targets(of.LevelID, segments[id])
		s.all = append(s.all, s.targets[id]...)
	}
	s.all = db.Distinct(s.all)
	slices.Sort(s.all)
	return nil
}

// check returns the error of a request that is refused.
func (s *offerBatch) check(request *offerRequest) error {
	of, account := s.customers[request.customerID], s.accounts[request.customerID]
	if of.Status == "" || of.Status == customer.Deleted || account.ID == "" {
		return fault.ErrNotFound
	}
	return request.wanted.wrong
}

// page finds the page of a request in its list.
func (s *offerBatch) page(request *offerRequest, list []campaign.Offered) offerPage {
	bought := s.bought[request.customerID]
	offer := request.wanted.Offer
	offer.OutOfReach = request.wanted.explain
	left := offer.Left(list, s.targets[request.customerID], bought)
	return offerPage{
		total: int64(len(left)), ids: request.list.Of(left), bought: bought, now: s.tx.Now(), zone: s.store.Zone,
		points: cappedSum(s.accounts[request.customerID].Points, request.wanted.additional),
	}
}

// list returns the campaigns that customers of the batch can have. Equal queries are read once.
func (s *offerBatch) list(request *offerRequest) ([]campaign.Offered, error) {
	offer := request.wanted.Offer
	if request.wanted.explain {
		offer.OutOfReach = true
		for i := range s.levels {
			offer.Levels = append(offer.Levels, s.levels[i].ID)
		}
		offer.Hidden = request.role == access.Administrator
	}
	order := api.Page{Sort: request.list.Sort, Descending: request.list.Descending}
	key, err := json.Marshal([]any{s.store.Key, offer, order, request.list.Locale})
	if err != nil {
		return nil, err
	}
	list, known := s.lists[string(key)]
	if !known {
		offer.Targets = s.all
		var counters map[string]campaign.Counters
		list, counters, err = s.catalogue.Offers(s.tx, s.store, s.changes, offer, order, request.list.Locale)
		if err != nil {
			return nil, err
		}
		s.lists[string(key)] = list
		maps.Copy(s.counters, counters)
	}
	return list, nil
}

// countRecent replaces the purchase counts of campaigns whose limit per customer counts in a period, and adds what
// reservations of the customers keep.
func (s *offerBatch) countRecent() error {
	counters := map[string]campaign.Counters{}
	for _, list := range s.lists {
		for i := range list {
			if id, ok := list[i].CountsRecent(); ok {
				counters[id] = s.counters[id]
			}
		}
	}
	if len(counters) > 0 {
		campaigns, err := s.catalogue.Load(s.tx, s.store, counters)
		if err == nil {
			err = countRecent(s.tx, s.store, campaigns, s.bought)
		}
		if err != nil {
			return err
		}
	}
	for id, account := range s.accounts {
		if s.bought[id] != nil {
			countHeld(&account, s.bought[id])
		}
	}
	return nil
}

// Announced returns the campaigns to announce to each active customer: those that their availability list shows and
// that can be bought now. only restricts the campaigns; nil means all. Customer ids must be distinct.
func (d *Desk) Announced(tx *db.Tx, s *store.Store, only []string, customerIDs ...string) (map[string][]string, error) {
	batch := newOfferBatch(tx, d.Catalogue, s)
	if err := batch.readCustomers(customerIDs); err != nil {
		return nil, err
	}
	byCustomer := map[string][]string{}
	request := &offerRequest{}
	request.wanted.Announce, request.wanted.Only = true, only
	list, err := batch.list(request)
	if err != nil {
		return nil, err
	}
	if err := batch.countRecent(); err != nil {
		return nil, err
	}
	for id, of := range batch.customers {
		if of.Status == customer.Active {
			byCustomer[id] = request.wanted.Left(list, batch.targets[id], batch.bought[id])
		}
	}
	return byCustomer, nil
}

// show sets the views of all pages. It reads each language once.
func (s *offerBatch) show(requests []offerRequest, outcomes []batch.Outcome[offerPage]) error {
	type kind struct {
		locale    api.Locale
		withCodes bool
	}
	pages := map[kind][]int{}
	for i := range outcomes {
		if len(outcomes[i].Value.ids) > 0 {
			of := kind{requests[i].list.Locale, requests[i].withCodes}
			pages[of] = append(pages[of], i)
		}
	}
	for of, alike := range pages {
		views := map[string]*offerView{}
		var before []string // most pages are equal
		for _, i := range alike {
			page := &outcomes[i].Value
			if page.views = views; !slices.Equal(page.ids, before) {
				for _, id := range page.ids {
					views[id] = nil
				}
			}
			before = page.ids
		}
		if err := s.view(of.locale, of.withCodes, views); err != nil {
			return err
		}
	}
	return nil
}

// view reads the views of campaigns.
func (s *offerBatch) view(locale api.Locale, withCodes bool, views map[string]*offerView) error {
	found, err := s.readCampaigns(locale, withCodes, views)
	if err != nil {
		return err
	}
	for id := range views {
		views[id] = &offerView{
			campaignViews: campaignViews{found}, campaign: found.Campaigns[id], counters: found.Counters[id],
		}
	}
	return nil
}

func (s *offerBatch) readCampaigns(locale api.Locale, withCodes bool, views map[string]*offerView) (
	*campaign.Shown, error) {
	if withCodes {
		return s.catalogue.Show(s.tx, s.store, locale, true, slices.Collect(maps.Keys(views))...)
	}
	counters := make(map[string]campaign.Counters, len(views))
	for id := range views {
		counters[id] = s.counters[id]
	}
	return s.catalogue.ShowCounted(s.tx, s.store, locale, counters, s.levels)
}

package campaign

import (
	"encoding/json"
	"maps"
	"slices"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/platform/db"
	"punchcard/platform/decimal"
)

// Offer selects the campaigns of an availability list. See docs/behaviour/offers.md#available-to-a-customer.
type Offer struct {
	Filter            // filters of the request
	Targets  []string // levels and segments of the customers
	Anything bool     // also campaigns with other targets
	ForStaff bool     // sellers and administrators read it
	Announce bool     // only campaigns that can be bought now and have a push notification text
	Sold     bool     // only what can be bought now
	Only     []string // only these ids; nil means all
	UsedUp   bool     // also those that the customer can buy again in a later period

	// OutOfReach adds what the one customer with the targets cannot have and may know of: campaigns that are used up and,
	// for staff, those with other targets; for customers only public ones with any of the Levels.
	OutOfReach bool
	Levels     []string // of the store
	Hidden     bool     // also those that are switched off or not visible
}

// Offered is a campaign that customers can see, with its limits.
type Offered struct {
	id           string
	cost         decimal.Hundredths
	unlimited    bool
	singleCoupon bool
	limit        int64
	limitPerUser int64
	limitPeriod  string
	totalPeriod  string
	targets      []string // all requested targets that it has
}

const offeredColumns = "c.campaign_id, c.cost, c.unlimited, c.single_coupon, c.usage_limit, c.limit_per_user, " +
	"c.limit_period, c.total_limit_period"

func (o *Offered) row() []any {
	return []any{&o.id, &o.cost, &o.unlimited, &o.singleCoupon, &o.limit, &o.limitPerUser, &o.limitPeriod, &o.totalPeriod}
}

// CountsRecent returns the campaign if its limit per customer counts in a period.
func (o *Offered) CountsRecent() (id string, ok bool) {
	return o.id, o.limitPeriod != "" && !o.unlimited
}

// soldOut reports whether the codes or the limit of all customers are used up.
func (o *Offered) soldOut(k Counters) bool {
	return !o.singleCoupon && k.CodesLeft() == 0 || rest(o.unlimited, o.limit, k.counted(o.totalPeriod)) == 0
}

// Left returns the ids of the campaigns with usage left for a customer with the targets and purchase counts.
func (f *Offer) Left(offered []Offered, targets []string, bought map[string]int64) []string {
	ids := make([]string, 0, len(offered))
	for i := range offered {
		if o := &offered[i]; f.OutOfReach || f.isOpen(o, targets) &&
			(rest(o.unlimited, o.limitPerUser, bought[o.id]) > 0 || f.UsedUp && o.limitPeriod != "") {
			ids = append(ids, o.id)
		}
	}
	return ids
}

func (f *Offer) isOpen(o *Offered, targets []string) bool { return f.Anything || o.isMeantFor(targets) }

func (o *Offered) isMeantFor(targets []string) bool {
	return slices.ContainsFunc(o.targets, func(id string) bool { return slices.Contains(targets, id) })
}

// offerList is a list of offers that is cached until a campaign of the store changes, one second at most.
type offerList struct {
	changes int64 // of the store's campaigns, before the list was read
	second  int64 // since 1970, by the store's clock
	offers  []Offered
}

// Offers returns, in the order of the page, all campaigns that customers with any of the targets can see and that are
// not sold out, and the counters of at least these. changes is the number of SelectChanges.
func (k *Catalogue) Offers(tx *db.Tx, s *store.Store, changes int64, f Offer, page api.Page, locale api.Locale) (
	[]Offered, map[string]Counters, error) {
	list, err := k.offered(tx, s, changes, f, page, locale)
	if err != nil {
		return nil, nil, err
	}
	counters, err := k.count(tx, s, list)
	return f.unsold(list, counters), counters, err
}

// Around is a part of the offers by cost, upwards.
type Around struct {
	Offer   Offer
	Amount  decimal.Hundredths // of points
	Offered []Offered          // the few campaigns whose cost is next to the amount and that are not sold out
}

// OffersAround sets the offers of each: at most as many campaigns as cost no more than the amount, and as many as cost
// more. It returns the counters of at least these.
func (k *Catalogue) OffersAround(tx *db.Tx, s *store.Store, changes int64, most int, all []Around) (
	map[string]Counters, error) {
	var lists [][]Offered
	for i := range all {
		list, err := k.offered(tx, s, changes, all[i].Offer, api.Page{Sort: "costInPoints"}, api.Locale{})
		if err != nil {
			return nil, err
		}
		all[i].Offered = around(list, all[i].Amount, most)
		lists = append(lists, all[i].Offered)
	}
	counters, err := k.count(tx, s, lists...)
	for i := range all {
		all[i].Offered = all[i].Offer.unsold(all[i].Offered, counters)
	}
	return counters, err
}

// around returns the part of a list by cost that is next to an amount.
func around(list []Offered, amount decimal.Hundredths, most int) []Offered {
	reach, _ := slices.BinarySearchFunc(list, amount, func(o Offered, amount decimal.Hundredths) int {
		if o.cost <= amount {
			return -1
		}
		return 1
	})
	return list[max(0, reach-most):min(len(list), reach+most)]
}

// offered returns the cached list of Offers, with those that are sold out.
func (k *Catalogue) offered(tx *db.Tx, s *store.Store, changes int64, f Offer, page api.Page, locale api.Locale) (
	[]Offered, error) {
	query, err := json.Marshal([]any{s.Key, f, page, locale})
	if err != nil {
		return nil, err
	}
	key := offersKey(query)
	list := cached[*offerList](&k.cache, key)
	if list == nil || list.changes != changes || list.second != tx.Now().Unix() {
		list = &offerList{changes: changes, second: tx.Now().Unix()}
		if list.offers, err = k.visible(tx, s.Key, f, page, locale); err != nil {
			return nil, err
		}
		const perOffer = 200 // bytes
		if !tx.IsDry() {
			k.cache.put(key, list, len(key)+perOffer*len(list.offers))
		}
	}
	return list.offers, nil
}

// count returns the counters of the campaigns in lists.
func (k *Catalogue) count(tx *db.Tx, s *store.Store, lists ...[]Offered) (map[string]Counters, error) {
	known := map[string]*Offered{}
	for _, list := range lists {
		for i := range list {
			known[list[i].id] = &list[i]
		}
	}
	counters, err := CountersOf(tx, s.Key, slices.Collect(maps.Keys(known))...)
	if err != nil {
		return nil, err
	}
	return counters, k.countOffered(tx, s, known, counters)
}

// unsold returns those of a list that are not sold out, or all if the list also has what is out of reach.
func (f *Offer) unsold(list []Offered, counters map[string]Counters) []Offered {
	offers := make([]Offered, 0, len(list))
	for i := range list {
		if o := &list[i]; f.OutOfReach || !o.soldOut(counters[o.id]) {
			offers = append(offers, *o)
		}
	}
	return offers
}

// countOffered sets Counters.Recent of the offers whose limit of all customers counts in a period.
func (k *Catalogue) countOffered(tx *db.Tx, s *store.Store, offers map[string]*Offered,
	counters map[string]Counters) error {
	periodic := map[string]Counters{}
	for _, o := range offers {
		if o.totalPeriod != "" && !o.unlimited {
			periodic[o.id] = counters[o.id]
		}
	}
	if len(periodic) == 0 {
		return nil
	}
	_, err := k.Load(tx, s, periodic)
	maps.Copy(counters, periodic)
	return err
}

// visible returns, in the order of the page, all campaigns that customers with any of the targets can see.
func (k *Catalogue) visible(tx *db.Tx, storeKey int64, f Offer, page api.Page, locale api.Locale) ([]Offered, error) {
	if len(f.Targets) == 0 && !f.Anything {
		return nil, nil
	}
	q := db.NewSQL(`SELECT ` + offeredColumns)
	if f.Anything || f.OutOfReach {
		q.Add(`, '' FROM campaigns c `)
	} else {
		q.Add(`, t.target_id FROM campaigns c JOIN campaign_targets t
			ON t.store_id = c.store_id AND t.target_id IN ? AND t.campaign_id = c.campaign_id `, db.List(f.Targets))
	}
	q.Add(`WHERE ?`, f.visible(tx, k.Types, storeKey, locale))
	q.Add(` ORDER BY ?`, page.OrderBy(k.Types.order(q, page, locale)))
	type row struct {
		Offered
		target string
	}
	var offered []Offered
	err := db.Each(tx, func(r *row) []any { return append(r.row(), &r.target) },
		func(r row) {
			if n := len(offered); n == 0 || offered[n-1].id != r.id {
				offered = append(offered, r.Offered)
			}
			last := &offered[len(offered)-1]
			last.targets = append(last.targets, r.target)
		}, q.Text(), q.Args()...)
	return offered, err
}

// visible is the condition on campaigns c that customers can see them.
func (f *Offer) visible(tx *db.Tx, types Types, storeKey int64, locale api.Locale) *db.SQL {
	if !f.Hidden {
		f.VisibleAt = tx.Now()
	}
	w := f.where(types, storeKey, locale)
	if !f.Hidden {
		w.And(`c.active = TRUE`)
	}
	if f.OutOfReach && !f.ForStaff && !f.Anything {
		w.And(`EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id AND t.campaign_id = c.campaign_id
			AND (t.target_id IN ? OR c.is_public = TRUE AND t.target_id IN ?))`, db.List(f.Targets), db.List(f.Levels))
	}
	w.Add(types.Except("c.reward", func(t *RewardType) bool {
		return t.OfferedTo == OfferedToNobody || t.OfferedTo == OfferedToStaff && !f.ForStaff
	}))
	if f.Announce {
		w.And(`c.push_text <> ''`)
	}
	if f.Sold {
		w.Add(types.Except("c.reward", func(t *RewardType) bool { return !t.Buyable }))
	}
	if f.Announce || f.Sold {
		now := tx.Now().UnixMicro()
		w.And(`(c.all_time_active OR (c.active_from <= ? AND c.active_to >= ?))`, now, now)
	}
	if len(f.Only) > 0 {
		w.And(`c.campaign_id IN ?`, db.List(f.Only))
	}
	return w
}

// Opening is a campaign to announce to its customers, who can see and buy it now.
type Opening struct {
	ID       string
	Version  int64
	Text     string   // of the announcement
	Segments []string // its targets
}

// Openings returns the campaigns of a store to announce now, in order of ids. Ids restrict them.
func (k *Catalogue) Openings(tx *db.Tx, storeKey int64, only ...string) ([]Opening, error) {
	f := Offer{Anything: true, Announce: true, Only: only}
	q := db.NewSQL(`SELECT `+offeredColumns+`, k.sold, k.next_position, k.last_position, c.version, c.push_text,
		CASE WHEN c.for_segments THEN c.definition ELSE '{}' END FROM campaigns c
		JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id
		WHERE ? ORDER BY c.campaign_id`, f.visible(tx, k.Types, storeKey, api.Locale{}))
	type row struct {
		Offered
		Counters
		Opening
		definition Definition
	}
	found, err := db.All(tx, func(r *row) []any {
		return append(r.Offered.row(), &r.Sold, &r.NextPosition, &r.LastPosition, &r.Opening.Version, &r.Text,
			db.JSON(&r.definition))
	}, q.Text(), q.Args()...)
	var openings []Opening
	for i := range found {
		if r := &found[i]; !r.soldOut(r.Counters) {
			r.Opening.ID, r.Segments = r.Offered.id, db.Distinct(r.definition.Segments)
			openings = append(openings, r.Opening)
		}
	}
	return openings, err
}

// CashbackFor returns the cashback campaigns that a customer with the targets can use now, oldest first.
func CashbackFor(tx *db.Tx, storeKey int64, targets []string) ([]Campaign, error) {
	if len(targets) == 0 {
		return nil, nil
	}
	now := tx.Now().UnixMicro()
	return Types{Cashback}.read(tx, `SELECT * FROM campaigns c
		WHERE c.store_id = ? AND c.active = TRUE AND c.reward = ?
		AND (c.all_time_active OR (c.active_from <= ? AND c.active_to >= ?))
		AND EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id
		AND t.target_id IN ? AND t.campaign_id = c.campaign_id) ORDER BY c.campaign_id`,
		storeKey, Cashback.Name, now, now, db.List(targets))
}

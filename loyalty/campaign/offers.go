package campaign

import (
	"slices"

	"punchcard/api"
	"punchcard/platform/db"
)

// Offer selects the campaigns of an availability list. See docs/behaviour/offers.md#available-to-a-customer.
type Offer struct {
	Filter            // filters of the request
	Targets  []string // levels and segments of the customers
	Anything bool     // also campaigns with other targets
	ForStaff bool     // sellers and administrators read it
	Announce bool     // only campaigns that can be bought now and have a push notification text
	Only     []string // only these ids; nil means all
}

// Offered is a campaign that customers can see and that is not sold out, with its limit per customer.
type Offered struct {
	id           string
	unlimited    bool
	limitPerUser int64
	targets      []string // all requested targets that it has
}

// Left returns the ids of the campaigns with usage left for a customer with the targets and purchase counts.
func (f *Offer) Left(offered []Offered, targets []string, bought map[string]int64) []string {
	ids := make([]string, 0, len(offered))
	for i := range offered {
		o := &offered[i]
		if (f.Anything || o.isMeantFor(targets)) && (o.unlimited || bought[o.id] < o.limitPerUser) {
			ids = append(ids, o.id)
		}
	}
	return ids
}

func (o *Offered) isMeantFor(targets []string) bool {
	return slices.ContainsFunc(o.targets, func(id string) bool { return slices.Contains(targets, id) })
}

// Offers returns, in the order of the page, all campaigns that customers with any of the targets can see and that are
// not sold out.
func (k *Catalogue) Offers(tx *db.Tx, storeKey int64, f Offer, asked api.Page, locale api.Locale) ([]Offered, error) {
	if len(f.Targets) == 0 && !f.Anything {
		return nil, nil
	}
	w := f.offered(tx, k.Types, storeKey, locale)
	q := db.NewSQL(`SELECT c.campaign_id, c.unlimited, c.limit_per_user, `)
	if f.Anything {
		q.Add(`''` + withCounters)
	} else {
		q.Add(`t.target_id`+withCounters+`JOIN campaign_targets t
			ON t.store_id = c.store_id AND t.target_id IN ? AND t.campaign_id = c.campaign_id `, db.List(f.Targets))
	}
	q.Add(`WHERE ?`, w)
	q.Add(` ORDER BY ` + asked.OrderBy(k.Types.order(q, asked, locale)))
	type row struct {
		Offered
		target string
	}
	var offered []Offered
	err := db.Each(tx, func(r *row) []any { return []any{&r.id, &r.unlimited, &r.limitPerUser, &r.target} },
		func(r row) {
			if n := len(offered); n == 0 || offered[n-1].id != r.id {
				offered = append(offered, r.Offered)
			}
			last := &offered[len(offered)-1]
			last.targets = append(last.targets, r.target)
		}, q.Text(), q.Args()...)
	return offered, err
}

const withCounters = ` FROM campaigns c
	JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id `

// offered is the condition on campaigns c with counters k that they are not sold out.
func (f *Offer) offered(tx *db.Tx, types Types, storeKey int64, locale api.Locale) *db.SQL {
	f.VisibleAt = tx.Now()
	w := f.where(types, storeKey, locale)
	w.And(`c.active = TRUE`)
	w.And(`(c.single_coupon OR k.next_position <= k.last_position)`)
	w.And(`(c.unlimited OR k.sold < c.usage_limit)`)
	w.Add(types.Except("c.reward", func(t *RewardType) bool {
		return t.OfferedTo == OfferedToNobody || t.OfferedTo == OfferedToStaff && !f.ForStaff
	}))
	if f.Announce {
		now := tx.Now().UnixMicro()
		w.And(`c.push_text <> ''`)
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
	q := db.NewSQL(`SELECT c.campaign_id, c.version, c.push_text,
		CASE WHEN c.for_segments THEN c.definition ELSE '{}' END`+
		withCounters+`WHERE ? ORDER BY c.campaign_id`, f.offered(tx, k.Types, storeKey, api.Locale{}))
	type row struct {
		Opening
		definition Definition
	}
	found, err := db.All(tx, func(r *row) []any { return []any{&r.ID, &r.Version, &r.Text, db.JSON(&r.definition)} },
		q.Text(), q.Args()...)
	openings := make([]Opening, len(found))
	for i := range found {
		openings[i] = found[i].Opening
		openings[i].Segments = db.Distinct(found[i].definition.Segments)
	}
	return openings, err
}

// CashbackFor returns the cashback campaigns that a customer with the targets can use now, oldest first.
func CashbackFor(tx *db.Tx, storeKey int64, targets []string) ([]Campaign, error) {
	if len(targets) == 0 {
		return nil, nil
	}
	now := tx.Now().UnixMicro()
	q := db.NewSQL(`SELECT `+columns+` FROM campaigns c WHERE c.store_id = ? AND c.active = TRUE AND c.reward = ?
		AND (c.all_time_active OR (c.active_from <= ? AND c.active_to >= ?))
		AND EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id
		AND t.target_id IN ? AND t.campaign_id = c.campaign_id) ORDER BY c.campaign_id`,
		storeKey, Cashback.Name, now, now, db.List(targets))
	return Types{Cashback}.read(tx, q.Text(), q.Args()...)
}

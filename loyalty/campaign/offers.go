package campaign

import (
	"slices"

	"punchcard/api"
	"punchcard/platform/db"
)

// Offer chooses the campaigns of an availability list (reference-behaviour 7.2).
type Offer struct {
	Filter            // what is wanted of them
	Targets  []string // levels and segments of the customers who ask
	Anything bool     // what is meant for others too
	Custom   bool     // custom campaigns too, of which nothing is left to be bought
	Announce bool     // only what can be bought at this moment and has a text that tells customers so
	Only     []string // of these only; nil for all
}

// Offered is a campaign that customers may see and of which something is left, with what its limit per customer says.
type Offered struct {
	id           string
	unlimited    bool
	limitPerUser int64
	targets      []string // of those asked for, all that it is meant for
}

// Left are the ids of what is left for a customer who has the targets and bought each so often.
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

// Offers lists, in the order of the page, all campaigns that customers of any of the targets may see and that have
// something left.
func Offers(tx *db.Tx, storeKey int64, f Offer, asked api.Page, locale api.Locale) ([]Offered, error) {
	if len(f.Targets) == 0 && !f.Anything {
		return nil, nil
	}
	w := f.offered(tx, storeKey, locale)
	from, target := withCounters, `''`
	if !f.Anything {
		list, args := db.In(w.args, f.Targets...)
		w.args = args
		target, from = `t.target_id`, withCounters+`JOIN campaign_targets t
			ON t.store_id = c.store_id AND t.target_id IN `+list+` AND t.campaign_id = c.campaign_id `
	}
	order, args := orderBy(asked, locale, w.args)
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
		},
		`SELECT c.campaign_id, c.unlimited, c.limit_per_user, `+target+from+`WHERE `+w.text+` ORDER BY `+order, args...)
	return offered, err
}

const withCounters = ` FROM campaigns c
	JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id `

// offered is the condition on campaigns c with counters k that there is something to be had.
func (f *Offer) offered(tx *db.Tx, storeKey int64, locale api.Locale) conditions {
	f.VisibleAt, f.NotReward = tx.Now, PercentageDiscount
	w := f.where(storeKey, locale)
	w.add(`c.active = TRUE`)
	w.add(`(c.single_coupon OR k.next_position <= k.last_position)`)
	w.add(`(c.unlimited OR k.sold < c.usage_limit)`)
	if !f.Custom {
		w.add(`c.reward <> 'custom_campaign_code'`)
	}
	if f.Announce {
		now := tx.Now.UnixMicro()
		w.add(`c.push_text <> ''`)
		w.add(`(c.all_time_active OR (c.active_from <= ? AND c.active_to >= ?))`, now, now)
	}
	if len(f.Only) > 0 {
		list, args := db.In(w.args, f.Only...)
		w.args = args
		w.add(`c.campaign_id IN ` + list)
	}
	return w
}

// Opening is a campaign that its customers are told of: they can see it and buy from it now.
type Opening struct {
	ID       string
	Version  int64
	Text     string   // that tells of it
	Segments []string // that it is for
}

// Openings are the campaigns of a store that customers are told of now, in the order of their ids; of some, those.
func Openings(tx *db.Tx, storeKey int64, only ...string) ([]Opening, error) {
	f := Offer{Anything: true, Announce: true, Only: only}
	w := f.offered(tx, storeKey, api.Locale{})
	type row struct {
		Opening
		definition Definition
	}
	found, err := db.All(tx, func(r *row) []any { return []any{&r.ID, &r.Version, &r.Text, db.JSON(&r.definition)} },
		`SELECT c.campaign_id, c.version, c.push_text, CASE WHEN c.for_segments THEN c.definition ELSE '{}' END`+
			withCounters+`WHERE `+w.text+` ORDER BY c.campaign_id`, w.args...)
	openings := make([]Opening, len(found))
	for i := range found {
		openings[i] = found[i].Opening
		openings[i].Segments = db.Distinct(found[i].definition.Segments)
	}
	return openings, err
}

// CashbackFor lists the cashback campaigns that are open now to a customer of the targets, oldest first.
func CashbackFor(tx *db.Tx, storeKey int64, targets []string) ([]Campaign, error) {
	if len(targets) == 0 {
		return nil, nil
	}
	now := tx.Now.UnixMicro()
	var w conditions
	w.add(`c.store_id = ? AND c.active = TRUE AND c.reward = 'cashback'`, storeKey)
	w.add(`(c.all_time_active OR (c.active_from <= ? AND c.active_to >= ?))`, now, now)
	list, args := db.In(w.args, targets...)
	w.args = args
	w.add(`EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id
		AND t.target_id IN ` + list + ` AND t.campaign_id = c.campaign_id)`)
	return db.All(tx, (*Campaign).row,
		`SELECT `+columns+` FROM campaigns c WHERE `+w.text+` ORDER BY c.campaign_id`, w.args...)
}

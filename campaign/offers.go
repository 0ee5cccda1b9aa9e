package campaign

import (
	"punchcard/api"
	"punchcard/platform/db"
)

// Offer chooses the campaigns of an availability list (reference-behaviour 7.2).
type Offer struct {
	Filter                    // what is wanted of them
	Targets  []string         // level and segments of the customer
	Anything bool             // what is meant for others too
	Custom   bool             // custom campaigns too, of which nothing is left to be bought
	Bought   map[string]int64 // how often the customer bought which
}

// offered is a campaign that a customer may see, with what its limit per customer says.
type offered struct {
	id           string
	unlimited    bool
	limitPerUser int64
}

func (o *offered) row() []any { return []any{&o.id, &o.unlimited, &o.limitPerUser} }

// Offers lists, in the order of the page, all campaigns that a customer may see and that have something left for him.
func Offers(tx *db.Tx, storeKey int64, f Offer, asked api.Page, locale api.Locale) ([]string, error) {
	if len(f.Targets) == 0 && !f.Anything {
		return nil, nil
	}
	f.VisibleAt, f.NotReward = tx.Now, PercentageDiscount
	w := f.where(storeKey, locale)
	w.add(`c.active = TRUE`)
	w.add(`(c.single_coupon OR k.next_position <= k.last_position)`)
	w.add(`(c.unlimited OR k.sold < c.usage_limit)`)
	if !f.Custom {
		w.add(`c.reward <> 'custom_campaign_code'`)
	}
	if !f.Anything {
		w.meantFor(f.Targets)
	}
	order, args := orderBy(asked, locale, w.args)
	var left []string
	err := db.Each(tx, (*offered).row, func(o offered) {
		if o.unlimited || f.Bought[o.id] < o.limitPerUser {
			left = append(left, o.id)
		}
	}, `SELECT c.campaign_id, c.unlimited, c.limit_per_user FROM campaigns c
		JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id
		WHERE `+w.text+` ORDER BY `+order, args...)
	return left, err
}

// meantFor is the condition that campaign c has one of the targets.
func (w *conditions) meantFor(targets []string) {
	list, args := db.In(w.args, targets...)
	w.args = args
	w.add(`EXISTS (SELECT 1 FROM campaign_targets t WHERE t.store_id = c.store_id
		AND t.target_id IN ` + list + ` AND t.campaign_id = c.campaign_id)`)
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
	w.meantFor(targets)
	return db.All(tx, (*Campaign).row,
		`SELECT `+columns+` FROM campaigns c WHERE `+w.text+` ORDER BY c.campaign_id`, w.args...)
}

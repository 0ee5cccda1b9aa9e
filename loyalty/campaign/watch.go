package campaign

import (
	"time"

	"punchcard/loyalty/segment"
	"punchcard/platform/db"
)

// WatchedLimit is how many active campaigns Watch looks at, the newest ones.
const WatchedLimit = 1000

// Watched is an active campaign that needs attention.
type Watched struct {
	ID     string
	Left   int64     // as UsageLeft
	EndsAt time.Time // when it can no longer be bought or seen; zero if never
}

// Watches are the campaigns that need attention, of the newest active ones.
type Watches struct {
	Low            []Watched // can be bought now, of which few are left
	Ending         []Watched // can be bought now, and end soon
	ReachingNobody []Watched // no customer is in any of their levels and segments
	All            bool      // false if there are more active campaigns than those looked at
}

// Watch returns the active campaigns of which at most few are left, those that end before a time, and those that reach
// nobody although they have not ended.
func (k *Catalogue) Watch(tx *db.Tx, storeKey, few int64, before time.Time) (w Watches, err error) {
	type row struct {
		Campaign
		Counters
		reward string
	}
	rows, err := db.All(tx, func(r *row) []any {
		c := &r.Campaign
		return []any{
			&c.ID, &r.reward, &c.Active, &c.Unlimited, &c.SingleCoupon, &c.Limit,
			&c.Activity.AllTime, db.Time(&c.Activity.From), db.Time(&c.Activity.To),
			&c.Visibility.AllTime, db.Time(&c.Visibility.From), db.Time(&c.Visibility.To), db.JSON(&c.Definition),
			&r.Sold, &r.NextPosition, &r.LastPosition, &c.TotalPeriod,
		}
	}, `SELECT c.campaign_id, c.reward, c.active, c.unlimited, c.single_coupon, c.usage_limit,
			c.all_time_active, c.active_from, c.active_to, c.all_time_visible, c.visible_from, c.visible_to, c.definition,
			k.sold, k.next_position, k.last_position, c.total_limit_period
		FROM campaigns c JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id
		WHERE c.store_id = ? AND c.active = TRUE ORDER BY c.campaign_id DESC LIMIT ?`, storeKey, WatchedLimit)
	if err != nil {
		return w, err
	}
	w.All = len(rows) < WatchedLimit
	now, audiences := tx.Now(), []segment.Audience(nil)
	for i := range rows {
		c := &rows[i].Campaign
		if d := &c.Definition; !d.Everybody && (c.Activity.AllTime || !now.After(c.Activity.To)) {
			audiences = append(audiences, segment.Audience{Of: c.ID, Levels: d.Levels, Segments: d.Segments})
		}
		if c.Reward = k.Types.find(rows[i].reward); c.Reward == nil || !c.ActiveAt(now) {
			continue
		}
		one := Watched{ID: c.ID, Left: c.UsageLeft(rows[i].Counters), EndsAt: c.endsAt(now)}
		if !c.Reward.Uncounted && one.Left <= few {
			w.Low = append(w.Low, one)
		}
		if !one.EndsAt.IsZero() && one.EndsAt.Before(before) {
			w.Ending = append(w.Ending, one)
		}
	}
	empty, err := segment.Empty(tx, storeKey, audiences)
	for _, id := range empty {
		w.ReachingNobody = append(w.ReachingNobody, Watched{ID: id})
	}
	return w, err
}

// endsAt returns when an active campaign ends: with its activity or, if customers see it now, with its visibility. It
// is zero if the campaign never ends.
func (c *Campaign) endsAt(now time.Time) (end time.Time) {
	if !c.Activity.AllTime {
		end = c.Activity.To
	}
	if c.VisibleAt(now) && !c.Visibility.AllTime && (end.IsZero() || c.Visibility.To.Before(end)) {
		end = c.Visibility.To
	}
	return end
}

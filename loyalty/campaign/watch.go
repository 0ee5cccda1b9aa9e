package campaign

import (
	"time"

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

// Watch returns the campaigns that can be bought now and of which at most few are left, and those that end before a
// time. all is false if there are more active campaigns than it looks at.
func (k *Catalogue) Watch(tx *db.Tx, storeKey, few int64, before time.Time) (
	low, ending []Watched, all bool, err error) {
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
			&c.Visibility.AllTime, db.Time(&c.Visibility.From), db.Time(&c.Visibility.To),
			&r.Sold, &r.NextPosition, &r.LastPosition,
		}
	}, `SELECT c.campaign_id, c.reward, c.active, c.unlimited, c.single_coupon, c.usage_limit,
			c.all_time_active, c.active_from, c.active_to, c.all_time_visible, c.visible_from, c.visible_to,
			k.sold, k.next_position, k.last_position
		FROM campaigns c JOIN campaign_counters k ON k.store_id = c.store_id AND k.campaign_id = c.campaign_id
		WHERE c.store_id = $1 AND c.active = TRUE ORDER BY c.campaign_id DESC LIMIT $2`, storeKey, WatchedLimit)
	now := tx.Now()
	for i := range rows {
		c := &rows[i].Campaign
		if c.Reward = k.Types.find(rows[i].reward); c.Reward == nil || !c.ActiveAt(now) {
			continue
		}
		w := Watched{ID: c.ID, Left: c.UsageLeft(rows[i].Counters), EndsAt: c.endsAt(now)}
		if !c.Reward.Uncounted && w.Left <= few {
			low = append(low, w)
		}
		if !w.EndsAt.IsZero() && w.EndsAt.Before(before) {
			ending = append(ending, w)
		}
	}
	return low, ending, len(rows) < WatchedLimit, err
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

package purchase

import (
	"slices"

	"punchcard/core/store"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/points"
	"punchcard/platform/db"
)

// isLimited selects the reward types whose campaigns can have limits. A coupon of them that is cancelled counts for no
// limit any more.
func isLimited(t *campaign.RewardType) bool { return !t.Uncounted && !t.Exchanged }

// countsForLimits returns the condition in SQL that a purchase counts for the limits of its campaign.
func countsForLimits(types campaign.Types) string {
	return `NOT (status = '` + Cancelled + `' AND ` + types.Only("reward", isLimited) + `)`
}

// takeBack cancels a locked coupon, which the campaign and the customer then have bought once less.
func (d *Desk) takeBack(tx *db.Tx, s *store.Store, p *Purchase, w *points.Wallet, k *campaign.Counters) error {
	p.cancel(tx, s)
	if !d.is(p, isLimited) {
		return nil
	}
	left, err := w.UncountPurchase(p.CampaignID)
	if err == nil {
		k.TakeBack(left)
	}
	return err
}

// is reports whether the reward type of a purchase is one of those that selected selects.
func (d *Desk) is(p *Purchase, selected func(*campaign.RewardType) bool) bool {
	return slices.ContainsFunc(d.Catalogue.Types, func(t *campaign.RewardType) bool {
		return t.Name == p.Reward && selected(t)
	})
}

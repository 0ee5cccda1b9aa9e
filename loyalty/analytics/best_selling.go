package analytics

import (
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
)

// rewardsShown is the number of campaigns in the list of best-selling ones.
const rewardsShown = 10

// rewardsView is the JSON of the best-selling rewards. See docs/behaviour/analytics.md#best-selling-rewards.
type rewardsView struct {
	frame
	From    string       `json:"from"`
	To      string       `json:"to"`
	Rewards []rewardView `json:"rewards"`
}

type rewardView struct {
	CampaignID string `json:"campaignId"`
	Name       string `json:"name"`
	Coupons    int64  `json:"couponsBought"`
}

var inRewards = inLocalized(readPeriod)

func bestSelling(catalogue *campaign.Catalogue) func(*api.Reading, localized[period]) (rewardsView, error) {
	return func(r *api.Reading, in localized[period]) (rewardsView, error) {
		from, to := in.asked.from, in.asked.to
		v := rewardsView{frame: frameOf(r.Call), From: from.String(), To: to.String(), Rewards: []rewardView{}}
		sold, err := campaign.BestSelling(r.Tx, r.Store.Key, from, to, rewardsShown)
		if err != nil || len(sold) == 0 {
			return v, err
		}
		ids := make([]string, len(sold))
		for i := range sold {
			ids[i] = sold[i].CampaignID
		}
		campaigns, err := catalogue.FindAll(r.Tx, r.Store.Key, ids...)
		for _, s := range sold {
			view := rewardView{CampaignID: s.CampaignID, Coupons: s.Coupons}
			if known := campaigns[s.CampaignID]; known != nil {
				view.Name = known.Name(in.locale)
			}
			v.Rewards = append(v.Rewards, view)
		}
		return v, err
	}
}

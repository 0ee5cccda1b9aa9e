package analytics

import (
	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/db"
	"punchcard/platform/form"
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

func bestSelling(catalogue *campaign.Catalogue) func(c *api.Call) error {
	return func(c *api.Call) error {
		query, err := c.Query()
		if err != nil {
			return err
		}
		q := form.Read(query)
		period := readPeriod(q, Today(c))
		if err := q.Err(); err != nil {
			return err
		}
		locale, err := c.Locale()
		if err != nil {
			return err
		}
		response := rewardsView{
			frame: frameOf(c), From: period.from.String(), To: period.to.String(), Rewards: []rewardView{},
		}
		err = c.Read(func(tx *db.Tx) error {
			sold, err := campaign.BestSelling(tx, c.Store.Key, period.from, period.to, rewardsShown)
			if err != nil || len(sold) == 0 {
				return err
			}
			ids := make([]string, len(sold))
			for i := range sold {
				ids[i] = sold[i].CampaignID
			}
			campaigns, err := catalogue.FindAll(tx, c.Store.Key, ids...)
			for _, s := range sold {
				view := rewardView{CampaignID: s.CampaignID, Coupons: s.Coupons}
				if known := campaigns[s.CampaignID]; known != nil {
					view.Name = known.Name(locale)
				}
				response.Rewards = append(response.Rewards, view)
			}
			return err
		})
		if err != nil {
			return err
		}
		return c.OK(response)
	}
}

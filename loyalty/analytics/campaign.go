package analytics

import (
	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/rollup"
	"punchcard/platform/db"
	"punchcard/platform/form"
)

// campaignView is the JSON of a campaign's sales. See docs/behaviour/analytics.md#sales-of-a-campaign.
type campaignView struct {
	CampaignID string `json:"campaignId"`
	frame
	Interval string       `json:"interval"`
	Total    figureView   `json:"total"`
	Previous figureView   `json:"previous"`
	Points   []figureView `json:"points"`
}

// ofCampaign shows how many coupons of a campaign were bought over time.
func ofCampaign(catalogue *campaign.Catalogue) func(c *api.Call) error {
	return func(c *api.Call) error {
		id, err := campaign.PathID(c)
		if err != nil {
			return err
		}
		query, err := c.Query()
		if err != nil {
			return err
		}
		q := form.Read(query)
		interval, asked := readInterval(q), readPeriod(q, today(c))
		invalid := q.Err()
		before := asked.previous()
		var sold map[rollup.Day]int64
		err = c.Read(func(tx *db.Tx) error {
			if _, _, err := catalogue.Find(tx, c.Store.Key, id); err != nil || invalid != nil {
				return err
			}
			sold, err = campaign.SoldIn(tx, c.Store.Key, id, before.from, asked.to)
			return err
		})
		if err == nil {
			err = invalid
		}
		if err != nil {
			return err
		}
		figure := func(p period) figureView {
			var sum int64
			for day := p.from; day <= p.to; day++ {
				sum += sold[day]
			}
			return figureView{p.from.String(), p.to.String(), count(sum)}
		}
		answer := campaignView{
			CampaignID: id, frame: frameOf(c), Interval: interval, Total: figure(asked), Previous: figure(before),
		}
		for _, part := range asked.split(interval) {
			answer.Points = append(answer.Points, figure(part))
		}
		return c.OK(answer)
	}
}

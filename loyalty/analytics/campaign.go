package analytics

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/calendar"
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

// campaignMetrics read the coupons of a campaign by day, both days included. Days without any are missing.
var campaignMetrics = map[string]func(tx *db.Tx, storeKey int64, campaignID string, from, to calendar.Day) (
	map[calendar.Day]int64, error){"couponsBought": campaign.SoldIn, "couponsUsed": campaign.UsedIn}

func readCampaignMetric(q *form.Group) string {
	return cmp.Or(q.Choice("metric", slices.Sorted(maps.Keys(campaignMetrics))), "couponsBought")
}

// showCampaign shows how many coupons of a campaign were bought or used over time.
func showCampaign(catalogue *campaign.Catalogue) func(c *api.Call) error {
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
		metric, interval, span := readCampaignMetric(q), readInterval(q), readPeriod(q, Today(c))
		invalid := q.Err()
		before := span.previous()
		var byDay map[calendar.Day]int64
		err = c.Read(func(tx *db.Tx) error {
			if _, _, err := catalogue.Find(tx, c.Store.Key, id); err != nil || invalid != nil {
				return err
			}
			byDay, err = campaignMetrics[metric](tx, c.Store.Key, id, before.from, span.to)
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
				sum += byDay[day]
			}
			return figureView{p.from.String(), p.to.String(), countMoney(sum)}
		}
		response := campaignView{
			CampaignID: id, frame: frameOf(c), Interval: interval, Total: figure(span), Previous: figure(before),
		}
		for _, part := range span.split(interval) {
			response.Points = append(response.Points, figure(part))
		}
		return c.OK(response)
	}
}

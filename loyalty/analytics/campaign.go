package analytics

import (
	"cmp"
	"maps"
	"slices"

	"punchcard/core/api"
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

// campaignQuery asks for coupons of a campaign over time.
type campaignQuery struct {
	metric, interval string
	period
}

func readCampaignQuery(q *form.Group, today calendar.Day) campaignQuery {
	return campaignQuery{readCampaignMetric(q), readInterval(q), readPeriod(q, today)}
}

var inCampaignQuery = api.InCall(func(q *form.Group) { readCampaignQuery(q, 0) }, (*api.Call).Query)

// showCampaign shows how many coupons of a campaign were bought or used over time. An unknown campaign is reported
// before errors of the query.
func showCampaign(catalogue *campaign.Catalogue) func(*api.Reading, *form.Node) (campaignView, error) {
	return func(r *api.Reading, query *form.Node) (campaignView, error) {
		id, err := campaign.PathID(r.Call)
		if err != nil {
			return campaignView{}, err
		}
		if _, _, err := catalogue.Find(r.Tx, r.Store.Key, id); err != nil {
			return campaignView{}, err
		}
		q := form.Read(query)
		in := readCampaignQuery(q, Today(r.Call))
		if err := q.Err(); err != nil {
			return campaignView{}, err
		}
		before := in.previous()
		byDay, err := campaignMetrics[in.metric](r.Tx, r.Store.Key, id, before.from, in.to)
		figure := func(p period) figureView {
			var sum int64
			for day := p.from; day <= p.to; day++ {
				sum += byDay[day]
			}
			return figureView{p.from.String(), p.to.String(), countMoney(sum)}
		}
		v := campaignView{
			CampaignID: id, frame: frameOf(r.Call), Interval: in.interval, Total: figure(in.period), Previous: figure(before),
		}
		for _, part := range in.split(in.interval) {
			v.Points = append(v.Points, figure(part))
		}
		return v, err
	}
}

package analytics

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/campaign"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/analytics.md.
func Endpoints(catalogue *campaign.Catalogue) []api.Endpoint {
	view := access.AdministratorWith(access.Analytics, access.View)
	const ofStore = "/api/{storeCode}/admin/analytics/"
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "series", Access: view, Handle: series,
			Summary: "Show a metric over time, with the period before",
			Query:   func(q *form.Group) { readSeries(q, 0) }, Response: seriesView{}},
		{Method: "GET", Path: ofStore + "summary", Access: view, Handle: summary,
			Summary: "Show all figures of a period, and of another one",
			Query:   func(q *form.Group) { readComparison(q, 0) }, Response: summaryView{}},
		{Method: "GET", Path: ofStore + "summary/export", Access: view, Handle: exportSummary,
			Summary: "Export all figures of a period, and of another one",
			Query:   api.TableQuery(summaryColumns, func(q *form.Group) { readComparison(q, 0) }), Response: api.Tables},
		{Method: "GET", Path: ofStore + "sales", Access: view, Handle: sales,
			Summary: "Sum up the sales of a period by point of sale or by level",
			Query: func(q *form.Group) {
				describeSales(q)
				api.LocaleQuery(q)
			}, Response: splitView{}},
		{Method: "GET", Path: ofStore + "sales/export", Access: view, Handle: exportSales,
			Summary: "Export the sales of a period by point of sale or by level",
			Query:   api.TableQuery(saleColumns, describeSales, api.LocaleQuery), Response: api.Tables},
		{Method: "GET", Path: ofStore + "coupons", Access: view, Handle: showCoupons(catalogue),
			Summary: "Sum up the coupons of a period by reward and point of sale or level",
			Query: func(q *form.Group) {
				describeCoupons(q)
				api.LocaleQuery(q)
			}, Response: couponsView{}},
		{Method: "GET", Path: ofStore + "coupons/export", Access: view, Handle: exportCoupons(catalogue),
			Summary: "Export the coupons of a period by reward and point of sale or level",
			Query:   api.TableQuery(couponColumns, describeCoupons, api.LocaleQuery), Response: api.Tables},
		{Method: "GET", Path: ofStore + "rewards", Access: view, Handle: bestSelling(catalogue),
			Summary: "Show the best-selling rewards of a period",
			Query: func(q *form.Group) {
				readPeriod(q, 0)
				api.LocaleQuery(q)
			}, Response: rewardsView{}},
		{Method: "GET", Path: ofStore + "rewards/{campaign}", Access: view, Handle: showCampaign(catalogue),
			Summary: "Show how many coupons of a campaign were bought or used over time",
			Query: func(q *form.Group) {
				readCampaignMetric(q)
				readInterval(q)
				readPeriod(q, 0)
			}, Response: campaignView{}},
		{Method: "GET", Path: ofStore + "expiring", Access: view, Handle: expiring,
			Summary: "Sum up the points that expire in the next 30 days", Response: expiringView{}},
		{Method: "GET", Path: ofStore + "owed", Access: view, Handle: owed,
			Summary: "Sum up the points that customers hold, by month of expiry and by level", Query: api.LocaleQuery,
			Response: owedView{}},
		{Method: "GET", Path: ofStore + "owed/journal", Access: view, Handle: exportJournal,
			Summary: "Export the movements of the points owed as double entries",
			Query:   api.TableQuery(journalColumns, func(q *form.Group) { readPeriod(q, 0) }), Response: api.Tables},
		{Method: "GET", Path: ofStore + "customers", Access: view, Handle: customerTotals,
			Summary: "Count customers and recent registrations", Response: customersView{}},
		{Method: "GET", Path: ofStore + "points", Access: view, Handle: pointTotals,
			Summary: "Sum up the points of all customers", Response: pointsView{}},
		{Method: "GET", Path: ofStore + "referrals", Access: view, Handle: referralTotals,
			Summary: "Count invitations", Response: referralsView{}},
		{Method: "GET", Path: ofStore + "transactions", Access: view, Handle: saleTotals,
			Summary: "Sum up sales and count recent ones", Query: func(q *form.Group) { onlyMatched(q) },
			Response: salesView{}},
		{Method: "GET", Path: ofStore + "levels", Access: view, Handle: levelTotals,
			Summary: "Count the customers of each level", Query: api.LocaleQuery, Response: levelsView{}},
	}
}

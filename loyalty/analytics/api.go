package analytics

import (
	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/loyalty/campaign"
	"punchcard/platform/calendar"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/analytics.md.
func Endpoints(catalogue *campaign.Catalogue) []api.Endpoint {
	view := access.AdministratorWith(access.Analytics, access.View)
	const ofStore = "/api/{storeCode}/admin/analytics/"
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "series", Access: view, Do: api.Read(inQuery(readSeries), showSeries),
			Summary: "Show a metric over time, with the period before"},
		{Method: "GET", Path: ofStore + "summary", Access: view,
			Do:      api.Respond(inQuery(readComparison), summaryOf),
			Summary: "Show all figures of a period, and of another one"},
		{Method: "GET", Path: ofStore + "summary/export", Access: view,
			Do:      api.Export(summaryColumns, inQuery(readComparison), exportSummary),
			Summary: "Export all figures of a period, and of another one"},
		{Method: "GET", Path: ofStore + "sales", Access: view, Do: api.Respond(inSales, showSales),
			Summary: "Sum up the sales of a period by point of sale or by level"},
		{Method: "GET", Path: ofStore + "sales/export", Access: view, Do: api.Export(saleColumns, inSales, exportSales),
			Summary: "Export the sales of a period by point of sale or by level"},
		{Method: "GET", Path: ofStore + "coupons", Access: view, Do: api.Respond(inCoupons, showCoupons(catalogue)),
			Summary: "Sum up the coupons of a period by reward and point of sale or level"},
		{Method: "GET", Path: ofStore + "coupons/export", Access: view,
			Do:      api.Export(couponColumns, inCoupons, exportCoupons(catalogue)),
			Summary: "Export the coupons of a period by reward and point of sale or level"},
		{Method: "GET", Path: ofStore + "rewards", Access: view, Do: api.Read(inRewards, bestSelling(catalogue)),
			Summary: "Show the best-selling rewards of a period"},
		{Method: "GET", Path: ofStore + "rewards/{campaign}", Access: view,
			Do:      api.Read(inCampaignQuery, showCampaign(catalogue)),
			Summary: "Show how many coupons of a campaign were bought or used over time"},
		{Method: "GET", Path: ofStore + "expiring", Access: view, Do: api.Show(showExpiring),
			Summary: "Sum up the points that expire in the next 30 days"},
		{Method: "GET", Path: ofStore + "owed", Access: view, Do: api.Read(api.InLocale, showOwed),
			Summary: "Sum up the points that customers hold, by month of expiry and by level"},
		{Method: "GET", Path: ofStore + "owed/journal", Access: view,
			Do:      api.Export(journalColumns, inQuery(readPeriod), exportJournal),
			Summary: "Export the movements of the points owed as double entries"},
		{Method: "GET", Path: ofStore + "customers", Access: view, Do: api.Show(customerTotals),
			Summary: "Count customers and recent registrations"},
		{Method: "GET", Path: ofStore + "points", Access: view, Do: api.Show(pointTotals),
			Summary: "Sum up the points of all customers"},
		{Method: "GET", Path: ofStore + "referrals", Access: view, Do: api.Show(referralTotals),
			Summary: "Count invitations"},
		{Method: "GET", Path: ofStore + "transactions", Access: view, Do: api.Read(inMatched, saleTotals),
			Summary: "Sum up sales and count recent ones"},
		{Method: "GET", Path: ofStore + "levels", Access: view, Do: api.Read(api.InLocale, levelTotals),
			Summary: "Count the customers of each level"},
	}
}

func describe[In any](read func(q *form.Group, today calendar.Day) In) func(q *form.Group) {
	return func(q *form.Group) { read(q, 0) }
}

// inQuery reads a query, on the present day of the store.
func inQuery[In any](read func(q *form.Group, today calendar.Day) In) api.Input[In] {
	return api.InCall(describe(read), func(c *api.Call) (In, error) { return readQuery(c, read) })
}

func readQuery[In any](c *api.Call, read func(q *form.Group, today calendar.Day) In) (in In, err error) {
	query, err := c.Query()
	if err != nil {
		return in, err
	}
	q := form.Read(query)
	in = read(q, Today(c))
	return in, q.Err()
}

// localized is a request with the language of names.
type localized[In any] struct {
	asked  In
	locale api.Locale
}

// inLocalized is inQuery with the language of names.
func inLocalized[In any](read func(q *form.Group, today calendar.Day) In) api.Input[localized[In]] {
	describeAll := func(q *form.Group) {
		read(q, 0)
		api.LocaleQuery(q)
	}
	return api.InCall(describeAll, func(c *api.Call) (localized[In], error) { return readLocalized(c, read) })
}

func readLocalized[In any](c *api.Call, read func(q *form.Group, today calendar.Day) In) (in localized[In], err error) {
	if in.asked, err = readQuery(c, read); err != nil {
		return in, err
	}
	in.locale, err = c.Locale()
	return in, err
}

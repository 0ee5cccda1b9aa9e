package analytics

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/platform/form"
)

// Endpoints returns the endpoints of docs/behaviour/analytics.md.
func Endpoints() []api.Endpoint {
	view := access.AdministratorWith(access.Analytics, access.View)
	const ofStore = "/api/{storeCode}/admin/analytics/"
	return []api.Endpoint{
		{Method: "GET", Path: ofStore + "series", Access: view, Handle: series,
			Summary: "Show a metric over time, with the period before",
			Query:   func(q *form.Group) { readSeries(q, 0) }, Answer: seriesView{}},
	}
}

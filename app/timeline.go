package app

import (
	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/audit/auditapi"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/timeline"
	"punchcard/loyalty/transaction"
)

// timelineSources are the sources of a customer's timeline. Entries of the same moment are in this order.
var timelineSources = []timeline.Source{
	{Kind: "purchase", Resource: access.RewardCampaigns,
		Page: func(r *timeline.Reader, key string, limit int) ([]customer.TimelineEntry, error) {
			return purchase.Timeline(r.Tx, r.Store, r.CustomerID, key, limit)
		}},
	{Kind: "transfer", Resource: access.PointTransfers,
		Page: func(r *timeline.Reader, key string, limit int) ([]customer.TimelineEntry, error) {
			return pointTransfers.Timeline(r.Tx, r.Store, r.CustomerID, key, limit)
		}},
	{Kind: "transaction", Resource: access.Transactions,
		Page: func(r *timeline.Reader, key string, limit int) ([]customer.TimelineEntry, error) {
			return transaction.Timeline(r.Tx, r.Store, r.CustomerID, key, limit)
		}},
	{Kind: "notification", Resource: access.Customers,
		Page: func(r *timeline.Reader, key string, limit int) ([]customer.TimelineEntry, error) {
			return notification.Timeline(r.Tx, r.Store, api.Locale{Default: "en", Wanted: "en"}, r.CustomerID, key, limit)
		}},
	{Kind: "event", Resource: access.Events,
		Page: func(r *timeline.Reader, key string, limit int) ([]customer.TimelineEntry, error) {
			return eventlog.Timeline(r.Tx, r.Store, r.Caller, r.CustomerID, key, limit)
		}},
}

// historySources extend the timeline of a customer to the history: by the audit log.
var historySources = []timeline.Source{
	{Kind: "audit", Resource: access.Audit,
		Page: func(r *timeline.Reader, key string, limit int) ([]customer.TimelineEntry, error) {
			return auditapi.Timeline(r.Tx, r.CustomerID, key, limit)
		}},
}

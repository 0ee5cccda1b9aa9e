package app

import (
	"cmp"
	"slices"
	"time"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/segment"
	"punchcard/loyalty/store"
	"punchcard/loyalty/store/branding"
	"punchcard/loyalty/timeline"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/platform/db"
	"punchcard/platform/delivery"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
	"punchcard/platform/outbound"
	"punchcard/platform/picture"
	"punchcard/platform/search"
	"punchcard/platform/web"
)

func (s *server) limitsEndpoint() []api.Endpoint {
	limits := s.config.limits()
	return []api.Endpoint{{
		Method: "GET", Path: "/api/limits", Access: access.Only(access.Administrator),
		Handle:  func(c *api.Call) error { return c.OK(limitList{limits, len(limits)}) },
		Summary: "List the limits of the server", Answer: limitList{},
	}}
}

type limitList struct {
	Limits []limitRow `json:"limits"`
	Total  int        `json:"total"`
}

// limitRow is a row of GET /api/limits.
type limitRow struct {
	Name    string `json:"name"`
	Value   int64  `json:"value"`
	Unit    string `json:"unit"`
	Setting string `json:"setting,omitempty"` // the flag that changes it; empty if fixed
}

func (c *Config) limits() []limitRow {
	return slices.Concat(c.ofServer(), c.Rates.rows(), c.ofFeatures())
}

// ofServer returns the limits of all requests.
func (c *Config) ofServer() []limitRow {
	return []limitRow{
		{"resultWindow", int64(c.ResultWindow), "position", "--result-window"},
		{"requestsInFlight", int64(c.MaxInFlight), "requests", "--max-in-flight"},
		{"connections", int64(cmp.Or(c.MaxConnections, web.DefaultMaxConnections)), "connections", "--max-connections"},
		{"connectionsPerClient", int64(cmp.Or(c.MaxConnectionsPerClient, web.DefaultMaxPerClient)), "connections",
			"--max-connections-per-client"},
		{"requestTimeout", int64(c.Timeout / time.Second), "seconds", "--timeout"},
		{"answerTransfer", int64(web.DefaultWriteTimeout / time.Second), "seconds", ""},
		{"drain", int64(cmp.Or(c.Drain, web.DefaultDrainTimeout) / time.Second), "seconds", "--drain"},
		{"drainPatience", int64(web.DefaultDrainPatience / time.Second), "seconds", ""},
		{"accessTokenLifetime", int64(c.TokenLife / time.Second), "seconds", "--token-life"},
		{"refreshTokenLifetime", int64(c.RefreshLife / time.Second), "seconds", "--refresh-life"},
		{"refreshTokenOverlap", int64(auth.RefreshOverlap / time.Second), "seconds", ""},
		{"sessionRecheck", int64(auth.DefaultRecheck / time.Second), "seconds", ""},
		{"requestBody", form.MaxBodyBytes, "bytes", ""},
		{"requestBodyPatience", int64(web.BodyPatience / time.Second), "seconds", ""},
		{"requestBodyPace", web.BodyPace, "bytes per second", ""},
		{"requestBodiesInFlight", web.DefaultMaxBodyMemory, "bytes", ""},
		{"requestHeaders", web.MaxHeaderBytes, "bytes", ""},
		{"requestQuery", web.MaxQueryBytes, "bytes", ""},
		{"requestFields", form.MaxFields, "fields", ""},
		{"requestNesting", form.MaxDepth, "levels", ""},
		{"requestFieldName", form.MaxNameBytes, "bytes", ""},
		{"idempotencyKey", idempotency.MaxKeyLength, "characters", ""},
		{"idempotencyKeyLifetime", int64(c.IdempotencyLife / time.Second), "seconds", "--idempotency-life"},
		{"idempotencyAnswer", idempotency.ResponseLimit, "bytes", ""},
		{"relayLag", int64(c.RelayLagLimit / time.Second), "seconds", "--relay-lag-limit"},
		{"databaseWait", int64(c.DatabaseWait / time.Second), "seconds", "--database-wait"},
		{"writesWaiting", db.QueueLimit, "operations", ""},
	}
}

// ofFeatures are the limits of what is asked for, sorted by topic.
func (c *Config) ofFeatures() []limitRow {
	return []limitRow{
		{"pictureFile", picture.MaxBytes, "bytes", ""},
		{"picturePixels", picture.MaxPixels, "pixels", ""},
		{"conditionsFile", branding.MaxConditions, "bytes", ""},
		{"searchMatches", search.ResultLimit, "matches", ""},
		{"eventsPerPage", eventlog.MaxPerPage, "events", ""},
		{"eventsSearched", eventlog.SearchWindow, "events", ""},
		{"eventStreams", eventlog.StreamLimit, "streams", ""},
		{"eventStreamLife", int64(eventlog.StreamLife / time.Second), "seconds", ""},
		{"webhookSubscriptions", webhook.SubscriptionLimit, "subscriptions", ""},
		{"webhookEventNames", webhook.NameLimit, "names", ""},
		{"webhookHeaders", webhook.HeaderLimit, "headers", ""},
		{"webhookURL", outbound.MaxURL, "characters", ""},
		{"webhookConnect", int64(outbound.DefaultConnectTimeout / time.Second), "seconds", ""},
		{"webhookCall", int64(outbound.DefaultTimeout / time.Second), "seconds", ""},
		{"webhookCallsInFlight", webhook.CallLimit, "calls", ""},
		{"webhookCallsOfSubscription", webhook.SubscriptionCallLimit, "calls", ""},
		{"webhookAttempts", int64(delivery.Attempts), "attempts", ""},
		{"webhookSecretOverlap", int64(webhook.RotationOverlap / time.Second), "seconds", ""},
		{"webhookFailing", int64(webhook.FailingLimit / time.Second), "seconds", ""},
		{"webhookOpenDeliveries", webhook.OpenLimit, "deliveries", ""},
		{"webhookReplay", webhook.ReplayLimit, "events", ""},
		{"webhookDeliveriesCounted", delivery.CountLimit, "deliveries", ""},
		{"webhookRetention", int64(c.WebhookRetention / time.Second), "seconds", "--webhook-retention"},
		{"notificationsOfPush", notification.PushLimit, "notifications", ""},
		{"notificationPushesCounted", delivery.CountLimit, "pushes", ""},
		{"notificationRetention", int64(c.NotificationRetention / time.Second), "seconds", "--notification-retention"},
		{"cashbackProviderCalls", cashback.CallsPerStore, "calls", ""},
		{"cashbackProviderStores", cashback.StoresAtOnce, "stores", ""},
		{"cashbackMessagesCounted", delivery.CountLimit, "messages", ""},
		{"analyticsDays", analytics.DaysLimit, "days", ""},
		{"analyticsExpiringAccounts", analytics.ExpiringAccountsLimit, "accounts", ""},
		{"categories", category.Limit, "categories", ""},
		{"campaignPhotos", campaign.PhotoLimit, "photos", ""},
		{"campaignCodesUploaded", campaign.UploadedCodes, "codes", ""},
		{"campaignCodesGenerated", campaign.GeneratedCodes, "codes", ""},
		{"furtherTranslations", store.TranslationLimit, "languages", ""},
		{"campaignMarkdownSteps", campaign.MarkdownSteps, "steps", ""},
		{"campaignMarkdownLevels", campaign.MarkdownLevels, "levels", ""},
		{"campaignLabelConditions", campaign.LabelConditions, "labels", ""},
		{"purchaseQuantity", purchase.QuantityLimit, "coupons", ""},
		{"markedAsUsed", purchase.MarkLimit, "coupons", ""},
		{"markedAsUsedAtTill", purchase.TillMarkLimit, "coupons", ""},
		{"validatedPurchases", purchase.ValidationLimit, "entries", ""},
		{"customerLabels", customer.LabelLimit, "labels", ""},
		{"customerCouponsShown", customerapi.PurchasesShown, "coupons", ""},
		{"customerLotsShown", points.LotsShown, "lots", ""},
		{"customersFoundAtTill", customerapi.SearchLimit, "customers", ""},
		{"registrationsLastDays", customerapi.LastDaysLimit, "days", ""},
		{"timelineEntries", timeline.PageLimit, "entries", ""},
		{"audiencePreview", int64(customer.PreviewTime / time.Millisecond), "milliseconds", ""},
		{"segmentParts", segment.PartLimit, "parts", ""},
		{"segmentPartCriteria", segment.CriterionLimit, "criteria", ""},
		{"segmentCriterionEntries", segment.EntryLimit, "entries", ""},
		{"segmentCriterionCustomers", segment.CustomerLimit, "customers", ""},
		{"transactionItems", transaction.ItemLimit, "items", ""},
		{"transactionLabels", transaction.LabelLimit, "labels", ""},
		{"transactionItemLabelsShown", transaction.ItemLabelLimit, "labels", ""},
		{"importRecords", transaction.RecordLimit, "records", ""},
		{"earningRuleUsesShown", earning.UsagesShown, "uses", ""},
		{"sandboxClockStep", store.StepLimit, "days", ""},
		{"sandboxClockAhead", store.AheadLimit, "days", ""},
	}
}

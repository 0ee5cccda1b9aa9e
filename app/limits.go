package app

import (
	"cmp"
	"slices"
	"time"

	"punchcard/api"
	"punchcard/api/access"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/attention"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/earning"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/points"
	"punchcard/loyalty/points/transfer"
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
	"punchcard/platform/mail"
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
		Summary: "List the limits of the server", Response: limitList{},
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
	return slices.Concat(c.serverLimits(), c.Rates.rows(), c.channelLimits(), programLimits())
}

func seconds(name string, d time.Duration, setting string) limitRow {
	return limitRow{name, int64(d / time.Second), "seconds", setting}
}

// serverLimits returns the limits of all requests.
func (c *Config) serverLimits() []limitRow {
	return []limitRow{
		{"resultWindow", int64(c.ResultWindow), "position", "--result-window"},
		{"requestsInFlight", int64(c.MaxInFlight), "requests", "--max-in-flight"},
		{"connections", int64(cmp.Or(c.MaxConnections, web.DefaultMaxConnections)), "connections", "--max-connections"},
		{"connectionsPerClient", int64(cmp.Or(c.MaxConnectionsPerClient, web.DefaultMaxPerClient)), "connections",
			"--max-connections-per-client"},
		seconds("requestTimeout", c.Timeout, "--timeout"),
		seconds("answerTransfer", web.DefaultWriteTimeout, ""),
		seconds("drain", cmp.Or(c.Drain, web.DefaultDrainTimeout), "--drain"),
		seconds("drainPatience", web.DefaultDrainPatience, ""),
		seconds("accessTokenLifetime", c.TokenLife, "--token-life"),
		seconds("refreshTokenLifetime", c.RefreshLife, "--refresh-life"),
		seconds("refreshTokenOverlap", auth.RefreshOverlap, ""),
		seconds("sessionRecheck", auth.DefaultRecheck, ""),
		{"requestBody", form.MaxBodyBytes, "bytes", ""},
		seconds("requestBodyPatience", web.BodyPatience, ""),
		{"requestBodyPace", web.BodyPace, "bytes per second", ""},
		{"requestBodiesInFlight", web.DefaultMaxBodyMemory, "bytes", ""},
		{"requestHeaders", web.MaxHeaderBytes, "bytes", ""},
		{"requestQuery", web.MaxQueryBytes, "bytes", ""},
		{"requestFields", form.MaxFields, "fields", ""},
		{"requestNesting", form.MaxDepth, "levels", ""},
		{"requestFieldName", form.MaxNameBytes, "bytes", ""},
		{"idempotencyKey", idempotency.MaxKeyLength, "characters", ""},
		seconds("idempotencyKeyLifetime", c.IdempotencyLife, "--idempotency-life"),
		{"idempotencyAnswer", idempotency.ResponseLimit, "bytes", ""},
		seconds("receiptsAhead", c.ReceiptsAhead, "--receipts-ahead"),
		seconds("relayLag", c.RelayLagLimit, "--relay-lag-limit"),
		seconds("databaseWait", c.DatabaseWait, "--database-wait"),
		{"writesWaiting", db.QueueLimit, "operations", ""},
	}
}

// channelLimits returns the limits of pictures, searches, deliveries and analytics, by topic.
func (c *Config) channelLimits() []limitRow {
	return []limitRow{
		{"pictureFile", picture.MaxBytes, "bytes", ""},
		{"picturePixels", picture.MaxPixels, "pixels", ""},
		{"conditionsFile", branding.MaxConditions, "bytes", ""},
		{"searchMatches", search.ResultLimit, "matches", ""},
		{"eventsPerPage", eventlog.MaxPerPage, "events", ""},
		{"eventsSearched", eventlog.SearchWindow, "events", ""},
		{"eventStreams", eventlog.StreamLimit, "streams", ""},
		seconds("eventStreamLife", eventlog.StreamLife, ""),
		{"webhookSubscriptions", webhook.SubscriptionLimit, "subscriptions", ""},
		{"webhookEventNames", webhook.NameLimit, "names", ""},
		{"webhookHeaders", webhook.HeaderLimit, "headers", ""},
		{"webhookURL", outbound.MaxURL, "characters", ""},
		seconds("webhookConnect", outbound.DefaultConnectTimeout, ""),
		seconds("webhookCall", outbound.DefaultTimeout, ""),
		{"webhookCallsInFlight", webhook.CallLimit, "calls", ""},
		{"webhookCallsOfSubscription", webhook.SubscriptionCallLimit, "calls", ""},
		{"webhookAttempts", int64(delivery.Attempts), "attempts", ""},
		seconds("webhookSecretOverlap", webhook.RotationOverlap, ""),
		seconds("webhookFailing", webhook.FailingLimit, ""),
		{"webhookOpenDeliveries", webhook.OpenLimit, "deliveries", ""},
		{"webhookReplay", webhook.ReplayLimit, "events", ""},
		{"webhookDeliveriesCounted", delivery.CountLimit, "deliveries", ""},
		seconds("webhookRetention", c.WebhookRetention, "--webhook-retention"),
		{"messageSubject", template.SubjectLimit, "characters", ""},
		{"messageContent", template.ContentLimit, "characters", ""},
		{"messageContentSMS", template.SMSLimit, "characters", ""},
		{"birthdayMessagePause", occasion.BirthdayPause, "days", ""},
		{"occasionsMadeUp", occasion.LateLimit, "days", ""},
		{"notificationsOfPush", notification.PushLimit, "notifications", ""},
		{"notificationPushesCounted", delivery.CountLimit, "pushes", ""},
		seconds("auditRetention", c.AuditRetention, "--audit-retention"),
		seconds("notificationRetention", c.NotificationRetention, "--notification-retention"),
		{"cashbackProviderCalls", cashback.CallsPerStore, "calls", ""},
		{"cashbackProviderStores", cashback.StoresAtOnce, "stores", ""},
		{"cashbackMessagesCounted", delivery.CountLimit, "messages", ""},
		{"analyticsDays", analytics.DaysLimit, "days", ""},
		{"analyticsExpiringAccounts", analytics.ExpiringAccountsLimit, "accounts", ""},
		{"messagesPerHour", int64(cmp.Or(c.MessagesPerHour, message.DefaultPerHour)), "messages",
			"--messages-per-hour"},
		{"messagesPerAddressPerHour", int64(cmp.Or(c.MessagesPerAddress, message.DefaultPerAddressHour)),
			"messages", "--messages-per-address"},
		{"messagesPerUnconfirmedAddressPerDay",
			int64(cmp.Or(c.MessagesPerUnconfirmed, message.DefaultPerUnconfirmedDay)), "messages",
			"--messages-per-unconfirmed"},
		{"messageName", template.NameLimit, "characters", ""},
		seconds("messageRetention", c.MessageRetention, "--message-retention"),
		seconds("messageLifetime", message.Lifetime, ""),
		{"messageStores", message.StoresAtOnce, "stores", ""},
		{"messageCalls", message.CallsPerQueue, "calls", ""},
		seconds("mailTimeout", mail.DefaultTimeout, ""),
		seconds("mailConnectionIdle", mail.IdleTimeout, ""),
		{"mailConnectionsIdle", mail.IdleConnections, "connections", ""},
		{"mailText", mail.MaxText, "bytes", ""},
		{"customersWaitingCounted", customer.WaitingLimit, "customers", ""},
		{"attentionShown", attention.Shown, "items", ""},
		{"attentionCampaigns", campaign.WatchedLimit, "campaigns", ""},
		{"attentionEarningRules", earning.WatchedLimit, "earning rules", ""},
		{"attentionDeliveries", attention.FailedLimit, "deliveries", ""},
		{"attentionReceipts", attention.RecasedLimit, "receipts", ""},
	}
}

// programLimits returns the limits of the parts of a program, by topic.
func programLimits() []limitRow {
	return []limitRow{
		{"categories", category.Limit, "categories", ""},
		{"campaignPhotos", campaign.PhotoLimit, "photos", ""},
		{"campaignCodesUploaded", campaign.UploadedCodes, "codes", ""},
		{"campaignCodesGenerated", campaign.GeneratedCodes, "codes", ""},
		{"furtherTranslations", store.TranslationLimit, "languages", ""},
		{"campaignMarkdownSteps", campaign.MarkdownSteps, "steps", ""},
		{"campaignMarkdownLevels", campaign.MarkdownLevels, "levels", ""},
		{"campaignLabelConditions", campaign.LabelConditions, "labels", ""},
		{"purchaseQuantity", purchase.QuantityLimit, "coupons", ""},
		{"purchasesCounted", purchase.CountLimit, "coupons", ""},
		{"markedAsUsed", purchase.MarkLimit, "coupons", ""},
		{"markedAsUsedAtTill", purchase.TillMarkLimit, "coupons", ""},
		seconds("useTakenBackAtTill", purchase.UndoTime, ""),
		{"validatedPurchases", purchase.ValidationLimit, "entries", ""},
		seconds("accountTokenLifetime", verification.TokenLife, ""),
		seconds("accountCodeLifetime", verification.CodeLife, ""),
		{"accountCodeAttempts", verification.CodeAttempts, "attempts", ""},
		{"accountTokens", verification.LiveTokens, "tokens", ""},
		{"accountMessages", verification.MessagesPerHour, "messages", ""},
		seconds("accountMessagesWindow", verification.RequestWindow, ""),
		seconds("contactChangeLifetime", verification.ChangeLife, ""),
		seconds("accountRest", verification.Rest, ""),
		{"accountReturn", privacy.ReturnDays, "days", ""},
		seconds("formerContactLifetime", verification.FormerContactLife, ""),
		{"formerContacts", verification.FormerContacts, "contacts", ""},
		{"customerLabels", customer.LabelLimit, "labels", ""},
		{"customerPushTokens", customer.PushTokenLimit, "devices", ""},
		{"customerCouponsShown", customerapi.PurchasesShown, "coupons", ""},
		{"customerLotsShown", points.LotsShown, "lots", ""},
		{"pointsByDateDays", transfer.DatesLimit, "days", ""},
		{"pointsAheadAccounts", transfer.AheadAccountsLimit, "accounts", ""},
		{"customersFoundAtTill", customerapi.SearchLimit, "customers", ""},
		{"registrationsLastDays", customerapi.LastDaysLimit, "days", ""},
		{"timelineEntries", timeline.PageLimit, "entries", ""},
		{"historyEntries", timeline.HistoryLimit, "entries", ""},
		{"audiencePreviewCustomers", customer.PreviewLimit, "customers", ""},
		{"segmentParts", segment.PartLimit, "parts", ""},
		{"segmentPartCriteria", segment.CriterionLimit, "criteria", ""},
		{"segmentCriterionEntries", segment.EntryLimit, "entries", ""},
		{"segmentCriterionCustomers", segment.CustomerLimit, "customers", ""},
		{"transactionItems", transaction.ItemLimit, "items", ""},
		{"transactionLabels", transaction.LabelLimit, "labels", ""},
		{"transactionItemLabelsShown", transaction.ItemLabelLimit, "labels", ""},
		{"importRecords", dataimport.RecordLimit, "records", ""},
		{"importFile", dataimport.FileLimit, "bytes", ""},
		{"importRecord", dataimport.RecordBytes, "bytes", ""},
		{"importsAtOnce", dataimport.AtOnce, "imports", ""},
		seconds("importFileRetention", dataimport.FileRetention, ""),
		seconds("importRetention", dataimport.Retention, ""),
		{"earningRuleUsesShown", earning.UsagesShown, "uses", ""},
		{"sandboxClockStep", store.StepLimit, "days", ""},
		{"sandboxClockAhead", store.AheadLimit, "days", ""},
	}
}

package app

import (
	"time"

	"punchcard/access"
	"punchcard/api"
	"punchcard/auth"
	"punchcard/campaign"
	"punchcard/category"
	"punchcard/customer"
	"punchcard/earning"
	"punchcard/eventlog"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/picture"
	"punchcard/platform/search"
	"punchcard/platform/web"
	"punchcard/purchase"
	"punchcard/segment"
	"punchcard/transaction"
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
	Limits []limit `json:"limits"`
	Total  int     `json:"total"`
}

// limit is one row of GET /api/limits.
type limit struct {
	Name    string `json:"name"`
	Value   int64  `json:"value"`
	Unit    string `json:"unit"`
	Setting string `json:"setting,omitempty"` // the flag that changes it; none for fixed ones
}

func (c *Config) limits() []limit {
	return []limit{
		{"resultWindow", int64(c.ResultWindow), "position", "--result-window"},
		{"requestsInFlight", int64(c.MaxInFlight), "requests", "--max-in-flight"},
		{"requestTimeout", int64(c.Timeout / time.Second), "seconds", "--timeout"},
		{"accessTokenLifetime", int64(c.TokenLife / time.Second), "seconds", "--token-life"},
		{"refreshTokenLifetime", int64(c.RefreshLife / time.Second), "seconds", "--refresh-life"},
		{"requestBody", form.MaxBodyBytes, "bytes", ""},
		{"requestBodiesInFlight", web.DefaultMaxBodyMemory, "bytes", ""},
		{"requestHeaders", web.MaxHeaderBytes, "bytes", ""},
		{"requestQuery", web.MaxQueryBytes, "bytes", ""},
		{"requestFields", form.MaxFields, "fields", ""},
		{"requestNesting", form.MaxDepth, "levels", ""},
		{"requestFieldName", form.MaxNameBytes, "bytes", ""},
		{"writesWaiting", db.QueueLimit, "operations", ""},
		{"failedLoginsOfAccount", auth.DefaultAccountFailures, "attempts", ""},
		{"failedLoginsOfAccountPause", int64(auth.DefaultAccountPause / time.Second), "seconds", ""},
		{"failedLoginsFromAddress", auth.DefaultAddressFailures, "attempts", ""},
		{"failedLoginsFromAddressPause", int64(auth.DefaultAddressPause / time.Second), "seconds", ""},
		{"pictureFile", picture.MaxBytes, "bytes", ""},
		{"picturePixels", picture.MaxPixels, "pixels", ""},
		{"searchMatches", search.ResultLimit, "matches", ""},
		{"eventsPerPage", eventlog.MaxPerPage, "events", ""},
		{"categories", category.Limit, "categories", ""},
		{"campaignPhotos", campaign.PhotoLimit, "photos", ""},
		{"campaignLabelConditions", campaign.LabelConditions, "labels", ""},
		{"purchaseQuantity", purchase.QuantityLimit, "coupons", ""},
		{"markedAsUsed", purchase.MarkLimit, "coupons", ""},
		{"validatedPurchases", purchase.ValidationLimit, "entries", ""},
		{"customerLabels", customer.LabelLimit, "labels", ""},
		{"customerCouponsShown", customer.PurchasesShown, "coupons", ""},
		{"customersFoundAtTill", customer.SearchLimit, "customers", ""},
		{"registrationsLastDays", customer.LastDaysLimit, "days", ""},
		{"segmentParts", segment.PartLimit, "parts", ""},
		{"segmentPartCriteria", segment.CriterionLimit, "criteria", ""},
		{"segmentCriterionEntries", segment.EntryLimit, "entries", ""},
		{"segmentCriterionCustomers", segment.CustomerLimit, "customers", ""},
		{"transactionItems", transaction.ItemLimit, "items", ""},
		{"transactionLabels", transaction.LabelLimit, "labels", ""},
		{"transactionItemLabelsShown", transaction.ItemLabelLimit, "labels", ""},
		{"importRecords", transaction.RecordLimit, "records", ""},
		{"earningRuleUsesShown", earning.UsagesShown, "uses", ""},
	}
}

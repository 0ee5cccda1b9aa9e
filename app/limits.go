package app

import (
	"cmp"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/core/feature"
	"punchcard/platform/db"
	"punchcard/platform/form"
	"punchcard/platform/idempotency"
	"punchcard/platform/picture"
	"punchcard/platform/search"
	"punchcard/platform/web"
)

func (s *server) limitsEndpoint() []api.Endpoint {
	return []api.Endpoint{{
		Method: "GET", Path: "/api/limits", Access: access.Only(access.Administrator).WithKeys(),
		Do: api.Tell(func(*api.Call) (limitList, error) {
			limits := collect(s.features, func(f *feature.Feature) []feature.Limit { return f.Limits })
			return limitList{limits, len(limits)}, nil
		}),
		Summary: "List the limits of the server",
	}}
}

type limitList struct {
	Limits []feature.Limit `json:"limits"`
	Total  int             `json:"total"`
}

// limits returns the limits of all requests and files.
func (c *Config) limits() []feature.Limit {
	return append([]feature.Limit{
		{Name: "resultWindow", Value: int64(c.ResultWindow), Unit: "position", Setting: "--result-window"},
		{Name: "requestsInFlight", Value: int64(c.MaxInFlight), Unit: "requests", Setting: "--max-in-flight"},
		{Name: "connections", Value: int64(cmp.Or(c.MaxConnections, web.DefaultMaxConnections)), Unit: "connections",
			Setting: "--max-connections"},
		{Name: "connectionsPerClient", Value: int64(cmp.Or(c.MaxConnectionsPerClient, web.DefaultMaxPerClient)),
			Unit: "connections", Setting: "--max-connections-per-client"},
		{Name: "stepUpPoints", Value: c.StepUpPoints, Unit: "points", Setting: "--step-up-points"},
		feature.Seconds("requestTimeout", c.Timeout, "--timeout"),
		feature.Seconds("answerTransfer", web.DefaultWriteTimeout, ""),
		feature.Seconds("drain", cmp.Or(c.Drain, web.DefaultDrainTimeout), "--drain"),
		feature.Seconds("drainPatience", web.DefaultDrainPatience, ""),
		{Name: "requestBody", Value: form.MaxBodyBytes, Unit: "bytes"},
		feature.Seconds("requestBodyPatience", web.BodyPatience, ""),
		{Name: "requestBodyPace", Value: web.BodyPace, Unit: "bytes per second"},
		{Name: "requestBodiesInFlight", Value: web.DefaultMaxBodyMemory, Unit: "bytes"},
		{Name: "requestHeaders", Value: web.MaxHeaderBytes, Unit: "bytes"},
		{Name: "requestQuery", Value: web.MaxQueryBytes, Unit: "bytes"},
		{Name: "requestFields", Value: form.MaxFields, Unit: "fields"},
		{Name: "requestNesting", Value: form.MaxDepth, Unit: "levels"},
		{Name: "requestFieldName", Value: form.MaxNameBytes, Unit: "bytes"},
		{Name: "askedDaysAway", Value: api.AtDays, Unit: "days"},
		{Name: "exportSheetRows", Value: api.SheetRows, Unit: "rows"},
		{Name: "idempotencyKey", Value: idempotency.MaxKeyLength, Unit: "characters"},
		feature.Seconds("idempotencyKeyLifetime", c.IdempotencyLife, "--idempotency-life"),
		{Name: "idempotencyAnswer", Value: idempotency.ResponseLimit, Unit: "bytes"},
		{Name: "dryRunsOfCaller", Value: api.DryRunsOfCaller, Unit: "requests"},
		{Name: "dryRunsAtOnce", Value: db.DryRuns, Unit: "operations"},
		feature.Seconds("dryRunSteps", db.DryRunTime, ""),
		feature.Seconds("databaseWait", c.DatabaseWait, "--database-wait"),
		{Name: "writesWaiting", Value: db.QueueLimit, Unit: "operations"},
		{Name: "pictureFile", Value: picture.MaxBytes, Unit: "bytes"},
		{Name: "picturePixels", Value: picture.MaxPixels, Unit: "pixels"},
		{Name: "searchMatches", Value: search.ResultLimit, Unit: "matches"},
	}, c.Rates.limits()...)
}

package app

import (
	"net/http"

	"punchcard/access"
	"punchcard/api"
	"punchcard/campaign"
	"punchcard/customer"
	"punchcard/eventlog"
	"punchcard/health"
	"punchcard/level"
	"punchcard/platform/event"
	"punchcard/purchase"
	"punchcard/transfer"
)

// endpoints is the table of everything that can be called, and by whom.
func (s *server) endpoints(desk *purchase.Desk, relay *event.Relay) []api.Endpoint {
	var all []api.Endpoint
	for _, feature := range [][]api.Endpoint{
		health.Endpoints(Version, s.probes(relay)...),
		s.limitsEndpoint(),
		eventlog.Endpoints(),
		s.auth.Endpoints(),
		level.Endpoints(),
		customer.Endpoints(),
		transfer.Endpoints(),
		campaign.Endpoints(),
		desk.Endpoints(),
	} {
		all = append(all, feature...)
	}
	return all
}

func (s *server) limitsEndpoint() []api.Endpoint {
	limits := s.config.limits()
	return []api.Endpoint{{
		Method: "GET", Path: "/api/limits", Access: access.Only(access.Administrator),
		Handle: func(c *api.Call) error {
			return c.JSON(http.StatusOK, struct {
				Limits []limit `json:"limits"`
				Total  int     `json:"total"`
			}{limits, len(limits)})
		},
	}}
}

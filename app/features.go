package app

import (
	"slices"

	"punchcard/api"
	"punchcard/api/health"
	"punchcard/api/openapi"
	"punchcard/docs/transcripts"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/attention"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/store/branding"
	"punchcard/loyalty/store/storeapi"
	"punchcard/loyalty/timeline"
	"punchcard/loyalty/webhook"
	"punchcard/platform/event"
	"punchcard/platform/web"
	webapps "punchcard/web"
)

// endpoints returns the endpoints of all features. To add a feature, add a row here.
func (s *server) endpoints(relay *event.Relay) []api.Endpoint {
	var all []api.Endpoint
	reserved := func() []string {
		return slices.Concat(web.FirstWords(s.api.Routes(all)), webapps.ReservedWords, webapps.PagesWithoutStore)
	}
	for _, feature := range [][]api.Endpoint{
		health.Endpoints(Version, s.probes(relay)...),
		s.limitsEndpoint(),
		s.jobEndpoints(),
		eventlog.Endpoints(s.feed),
		s.auth.Endpoints(s.loginHooks()),
		storeapi.Endpoints(s.outbound, s.storeHooks(reserved)),
		branding.Endpoints(),
		template.Endpoints(s.templateHooks()),
		admin.Endpoints(s.adminHooks()),
		pos.Endpoints(),
		seller.Endpoints(s.sellerHooks()),
		level.Endpoints(),
		customerapi.Endpoints(s.customerHooks()),
		membership.Endpoints(),
		s.verifier().Endpoints(),
		privacy.Endpoints(s.privacyHooks()),
		transfer.Endpoints(s.transferHooks()),
		s.receipts.Endpoints(),
		s.imports.Endpoints(),
		category.Endpoints(),
		s.segments.Endpoints(segmentHooks),
		s.desk.Catalogue.Endpoints(campaignHooks),
		s.desk.Endpoints(s.limiters.coupons),
		cashback.Endpoints(s.limiters.callbacks),
		invitation.Endpoints(invitation.Limits{Invitations: s.limiters.invitations, Lookups: s.limiters.checks}),
		s.earning.Endpoints(),
		notification.Endpoints(s.outbound),
		message.Endpoints(s.messages),
		timeline.Endpoints(timelineSources, historySources),
		s.auditLog().Endpoints(),
		webhook.Endpoints(facts(), s.outbound, s.webhooks),
		analytics.Endpoints(s.desk.Catalogue),
		attention.Endpoints(s.desk.Catalogue, s.messages, s.jobNames, s.config.RelayLagLimit),
	} {
		all = append(all, feature...)
	}
	return all
}

// described returns all endpoints, with those that serve their description.
func (s *server) described(relay *event.Relay) []api.Endpoint {
	all := s.endpoints(relay)
	return append(all, openapi.Endpoints(Version, sections, all, transcripts.Files)...)
}

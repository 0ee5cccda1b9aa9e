package app

import (
	"cmp"
	"slices"

	"punchcard/core/api"
	"punchcard/core/api/health"
	"punchcard/core/api/openapi"
	"punchcard/core/audit"
	"punchcard/core/feature"
	"punchcard/core/store"
	"punchcard/docs/transcripts"
	"punchcard/loyalty/analytics"
	"punchcard/loyalty/attention"
	"punchcard/loyalty/branding"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/campaign/category"
	"punchcard/loyalty/cashback"
	"punchcard/loyalty/checkout"
	"punchcard/loyalty/customer/customerapi"
	"punchcard/loyalty/customer/listview"
	"punchcard/loyalty/customer/membership"
	"punchcard/loyalty/customer/merge"
	"punchcard/loyalty/customer/note"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/eventlog"
	"punchcard/loyalty/identity/admin"
	"punchcard/loyalty/identity/apikey"
	"punchcard/loyalty/identity/auth"
	"punchcard/loyalty/identity/seller"
	"punchcard/loyalty/identity/setup"
	"punchcard/loyalty/identity/till"
	"punchcard/loyalty/identity/verification"
	"punchcard/loyalty/invitation"
	"punchcard/loyalty/journey"
	"punchcard/loyalty/level"
	"punchcard/loyalty/message"
	"punchcard/loyalty/message/template"
	"punchcard/loyalty/notification"
	"punchcard/loyalty/occasion"
	"punchcard/loyalty/points/transfer"
	"punchcard/loyalty/pos"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/storeapi"
	"punchcard/loyalty/timeline"
	"punchcard/loyalty/transaction"
	"punchcard/loyalty/webhook"
	"punchcard/platform/event"
	"punchcard/platform/search"
	"punchcard/platform/web"
	webapps "punchcard/web"
)

// listFeatures returns all features, in the order of their sections, rules, limits and jobs by the clock of a store. To
// add a feature, add a row here.
func (s *server) listFeatures() features {
	s.makeWorkers()
	first := features{
		s.auth.Feature(),
		s.singleSignOn().Feature(s.db),
		s.verifier().Feature(s.db),
		setup.Feature(s.limiters.codes),
		storeapi.Feature(s.outbound, s.storeParts()),
		branding.Feature(),
		admin.Feature(),
		apikey.Feature(s.auth.Uses()),
		pos.Feature(),
		seller.Feature(),
		till.Feature(s.auth),
		customerapi.Feature(s.db, customerapi.Limits{
			Registrations: s.limiters.registrations, Activations: s.limiters.activations, ContactLookups: s.limiters.checks,
		}),
		note.Feature(),
		listview.Feature(),
	}
	rest := features{
		transfer.Feature(s.db, s.limiters.guesses), // before levels, which depend on points
		s.receipts.Feature(),
		s.imports.Feature(s.db),
		invitation.Feature(invitation.Limits{Invitations: s.limiters.invitations, Lookups: s.limiters.checks}),
		s.earning.Feature(),
		s.desk.Catalogue.Feature(s.db),
		category.Feature(),
		s.desk.Feature(s.limiters.coupons),
		cashback.Feature(s.limiters.callbacks),
		checkout.New(s.db, s.desk, s.earning, s.limiters.coupons, s.receipts.Hooks,
			s.config.ReservationsPerCaller).Feature(),
		level.Feature(),
		membership.Feature(),
		s.segments.Feature(),
		notification.Feature(notification.Parts{
			DB: s.db, Messages: s.messages, Desk: s.desk, Retention: s.config.NotificationRetention,
		}),
		template.Feature(s.sendNow, verification.Guard(s.auth)),
		message.Feature(s.messages, s.db, s.config.MessageRetention),
		occasion.Feature(),
		s.mailings.Feature(s.db),
		journey.New(s.mailings, s.desk).Feature(s.db),
		s.bulk.Feature(),
		eventlog.Feature(s.feed),
		s.auditLog().Feature(s.db, s.config.AuditRetention),
		analytics.Feature(s.desk.Catalogue, s.db),
		s.reports.Feature(s.desk.Catalogue, s.db),
		attention.Feature(s.desk.Catalogue, s.messages, s.jobNames, attention.Lags{
			Events: s.config.backlog(), EventLimit: s.config.RelayLagLimit, Copy: s.copyAge,
		}),
		s.serverFeature(),
	}
	merging := merge.New(s.desk, slices.Concat(first, rest).handOvers()).Feature()
	first = append(first, merging)
	erasing := privacy.New(slices.Concat(first, rest).personal(), s.auth.Confirm).Feature(s.db)
	all := slices.Concat(first, features{erasing}, rest)
	all = append(all, timeline.Feature(all.timeline()),
		webhook.Feature(all.facts(), s.outbound, s.webhooks, s.db, s.config.WebhookRetention))
	return feature.Complete(all)
}

// serverFeature is the server itself.
func (s *server) serverFeature() feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Server",
			Description: "The version, health, limits and jobs of the server, and this description."},
		Endpoints: slices.Concat(health.Endpoints(Version, s.node(), s.probes()...), s.limitsEndpoint(),
			s.jobEndpoints()),
		Jobs:   s.serverJobs(),
		Rules:  search.Rules(),
		Limits: s.config.limits(),
	}
}

// features are all features of the program.
type features []feature.Feature

// features returns the features of a program without a server, for what describes them.
func (k Kinds) features() features { return k.describing().listFeatures() }

// describing returns a server without a database.
func (k Kinds) describing() *server {
	return &server{
		services: k.services(&purchase.Desk{Catalogue: &campaign.Catalogue{Types: k.rewardTypes()}}),
		api:      &api.Server{}, auth: &auth.Auth{}, messages: &message.Config{}, receipts: &transaction.Registrar{},
	}
}

// collect returns one member of all features.
func collect[T any](all features, member func(f *feature.Feature) []T) (list []T) {
	for i := range all {
		list = append(list, member(&all[i])...)
	}
	return list
}

func (all features) effects() []*api.Effect {
	return collect(all, func(f *feature.Feature) []*api.Effect { return f.Effects })
}

func (all features) endpoints() []api.Endpoint {
	return collect(all, func(f *feature.Feature) []api.Endpoint { return f.Endpoints })
}

// personal returns what the features store about customers.
func (all features) personal() []feature.Personal {
	return collect(all, func(f *feature.Feature) []feature.Personal { return []feature.Personal{f.Customers} })
}

func (all features) handOvers() []feature.HandOver {
	return collect(all, func(f *feature.Feature) []feature.HandOver { return f.Customers.HandOver })
}

func (all features) reactions() []feature.Reaction {
	return collect(all, func(f *feature.Feature) []feature.Reaction { return f.On })
}

func (all features) emissions() []event.Emission {
	own := collect(all, func(f *feature.Feature) []event.Emission { return f.Emissions })
	return append(own, all.clockMove(own))
}

// clockMove lists the events of a move of the clock of a sandbox store: those of the jobs of stores, which run then.
func (all features) clockMove(own []event.Emission) event.Emission {
	moved := event.Emission{By: []string{"POST /api/{storeCode}/admin/clock"}, Again: true}
	known := map[string]bool{}
	for _, j := range all.storeJobs() {
		for _, e := range own {
			if !slices.Contains(e.By, "job "+j.Name) {
				continue
			}
			for _, fact := range e.Facts {
				if !known[fact.EventType()] {
					moved.Facts = append(moved.Facts, fact)
				}
				known[fact.EventType()] = true
			}
		}
	}
	return moved
}

// facts returns a zero value of each event type.
func (all features) facts() []event.Fact {
	return collect(all, func(f *feature.Feature) (facts []event.Fact) {
		for _, e := range f.Emissions {
			facts = append(facts, e.Facts...)
		}
		return facts
	})
}

func (all features) timeline() []feature.TimelineSource {
	sources := collect(all, func(f *feature.Feature) []feature.TimelineSource { return f.Timeline })
	slices.SortStableFunc(sources, func(a, b feature.TimelineSource) int { return cmp.Compare(a.Rank, b.Rank) })
	return sources
}

func (all features) storeJobs() []store.Job {
	return collect(all, func(f *feature.Feature) []store.Job { return f.StoreJobs })
}

// objects returns how objects are read for the audit log, by entity type. Calls on other entities show what was sent.
func (all features) objects() map[string]audit.Object {
	objects := map[string]audit.Object{"settings": auditedSettings}
	for i := range all {
		for entity, object := range all[i].Objects {
			objects[entity] = object
		}
	}
	return objects
}

// sections returns the parts of the description of the API.
func (all features) sections() (sections []openapi.Section) {
	for i := range all {
		f := &all[i]
		if len(f.Endpoints) == 0 {
			continue
		}
		at := slices.IndexFunc(sections, func(s openapi.Section) bool { return s.Name == f.Section.Name })
		if at < 0 {
			at = len(sections)
			sections = append(sections, openapi.Section{Name: f.Section.Name, Description: f.Section.Description})
		}
		sections[at].Endpoints = append(sections[at].Endpoints, f.Endpoints...)
	}
	return sections
}

// described returns all endpoints, with those that serve their description.
func (all features) described() []api.Endpoint {
	return append(all.endpoints(), openapi.Endpoints(openapi.Source{
		Version: Version, Sections: all.sections(), Names: operationNames(), Events: all.eventTypes(),
		Effects: all.effects(), Transcripts: transcripts.Files,
	})...)
}

// reservedCodes returns the words that codes of stores cannot be, because addresses begin with them.
func (s *server) reservedCodes() []string {
	return slices.Concat(web.FirstWords(s.api.Routes(s.features.endpoints())), webapps.ReservedWords,
		webapps.PagesWithoutStore)
}

package eventlog

import (
	"punchcard/core/access"
	"punchcard/core/feature"
	"punchcard/platform/check"
	"punchcard/platform/event"
)

// Feature returns the event log. See docs/behaviour/events.md.
func Feature(feed *Feed) feature.Feature {
	return feature.Feature{
		Section: feature.Section{Name: "Events",
			Description: "Read the record of every change, also as a stream while it happens."},
		Endpoints: Endpoints(feed),
		Customers: feature.Personal{
			Exports: []feature.Export{
				{Name: "events", Rank: 9, Read: Export},
				{Name: "transactionEvents", Rank: 10, Read: ExportTransactions},
			},
			NotForgotten:  "privacy clears the personal members of all events",
			NotHandedOver: "it stays with the merged customer",
		},
		Tables:   []check.Table{event.Events},
		Timeline: []feature.TimelineSource{{Kind: "event", Resource: access.Events, Rank: 5, Page: timeline}},
		Limits: []feature.Limit{
			{Name: "eventsPerPage", Value: MaxPerPage, Unit: "events"},
			{Name: "eventsSearched", Value: SearchWindow, Unit: "events"},
			{Name: "eventStreams", Value: StreamLimit, Unit: "streams"},
			feature.Seconds("eventStreamLife", StreamLife, ""),
		},
	}
}

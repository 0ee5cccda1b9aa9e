// Package feature has the parts of the program as values. Each package with endpoints has a function Feature; package
// app lists their results, and builds the server, its jobs and punchcard check from that list.
package feature

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/audit"
	"punchcard/core/store"
	"punchcard/platform/check"
	"punchcard/platform/event"
	"punchcard/platform/job"
)

// Feature is a part of the program, such as notifications. All members are optional, besides the section of endpoints.
type Feature struct {
	Section   Section
	Endpoints []api.Endpoint
	// StoreJobs handle what is due by the clock of a store. They run every minute, and after the clock of a sandbox store
	// was moved, in the order of the features.
	StoreJobs []store.Job
	Jobs      []job.Job
	Rules     []check.Rule  // verified by punchcard check
	Tables    []check.Table // whose rows belong to a store
	Emissions []event.Emission
	Limits    []Limit
	Timeline  []TimelineSource
	// Customers declares the personal data of customers that the feature stores.
	Customers Personal
	On        []Reaction // what the feature does in the transactions of earlier ones
	// Objects read the objects of an entity type before and after a change, so that the audit log shows what changed.
	Objects map[string]audit.Object
	// Effects are numbers that the effects of dry runs list.
	Effects []*api.Effect
}

// Complete returns the features with what their operations say about the endpoints. It panics if one stores personal
// data without declaring what becomes of it.
func Complete(all []Feature) []Feature {
	for i := range all {
		all[i].Customers.check(all[i].Section.Name)
		all[i].Endpoints = api.Complete(all[i].Endpoints)
	}
	return all
}

// Section is a part of the description of the API. Features with the same name share one, described by the first.
type Section struct {
	Name        string
	Description string // one sentence
}

// Limit is a row of GET /api/limits.
type Limit struct {
	Name    string `json:"name"`
	Value   int64  `json:"value"`
	Unit    string `json:"unit"`
	Setting string `json:"setting,omitempty"` // the flag that changes it; empty if fixed
}

// Seconds returns a limit of time.
func Seconds(name string, d time.Duration, setting string) Limit {
	return Limit{name, int64(d / time.Second), "seconds", setting}
}

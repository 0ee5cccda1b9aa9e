package app

import (
	"time"

	"punchcard/core/api"
	"punchcard/core/store"
	"punchcard/loyalty/customer/privacy"
	"punchcard/platform/db"
	"punchcard/platform/event"
	"punchcard/platform/job"
)

// EndpointTable returns the endpoint table of a server without starting one.
func EndpointTable() []api.Endpoint { return Kinds{}.features().described() }

// Emissions returns which calls and jobs record which events.
func Emissions() []event.Emission { return Kinds{}.features().emissions() }

// StoreJobs returns the jobs that handle what is due by the clocks of stores.
func StoreJobs(d *db.DB) (jobs []job.Job) {
	for _, j := range (Kinds{}).features().storeJobs() {
		jobs = append(jobs, job.Job{Name: j.Name, Every: time.Minute, Run: store.Everywhere(d, j.Work)})
	}
	return jobs
}

// Privacy returns what exports and erases the personal data of all features.
func Privacy() *privacy.Service { return privacy.New((Kinds{}).features().personal(), nil) }

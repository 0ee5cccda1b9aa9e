package app

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// StoreJobs are the jobs of what the clocks of stores make due.
func StoreJobs(d *db.DB) (jobs []job.Job) {
	for _, j := range testServices().storeJobs() {
		jobs = append(jobs, job.Job{Name: j.Name, Every: time.Minute, Run: store.Everywhere(d, j.Work)})
	}
	return jobs
}

// EndpointTable is the table of the running server, without a server.
func EndpointTable() []api.Endpoint {
	return (&server{services: testServices()}).described(nil)
}

// RefusedHelp describes a metric that is not shown before anything was refused.
const RefusedHelp = refusedHelp

// WatchedRequest tells new metrics of one request again and again.
func WatchedRequest() func() {
	m := newMetrics("")
	return func() {
		m.Begin()
		m.End("POST", "/api/{storeCode}/customer/campaign/{campaign}/buy", 200, time.Millisecond)
	}
}

// Emissions are what calls and jobs append.
var Emissions = emissions

// PrivacyHooks are what all features store about customers, without the log-ins of a server.
func PrivacyHooks() privacy.Hooks {
	r := (&server{services: testServices()}).privacyHooks()
	r.EndSessions, r.Customers.StatusChanged = nil, nil
	return r
}

// testServices are those of the program without a database.
func testServices() services {
	return Kinds{}.services(&purchase.Desk{Catalogue: &campaign.Catalogue{Types: campaign.RewardTypes}})
}

package app

import (
	"time"

	"punchcard/api"
	"punchcard/loyalty/campaign"
	"punchcard/loyalty/customer/privacy"
	"punchcard/loyalty/dataimport"
	"punchcard/loyalty/purchase"
	"punchcard/loyalty/store"
	"punchcard/loyalty/transaction"
	"punchcard/platform/db"
	"punchcard/platform/job"
)

// StoreJobs returns the jobs that handle what is due by the clocks of stores.
func StoreJobs(d *db.DB) (jobs []job.Job) {
	for _, j := range testServices().storeJobs() {
		jobs = append(jobs, job.Job{Name: j.Name, Every: time.Minute, Run: store.Everywhere(d, j.Work)})
	}
	return jobs
}

// EndpointTable returns the endpoint table of a server without starting one.
func EndpointTable() []api.Endpoint {
	s := &server{services: testServices(), receipts: &transaction.Registrar{}}
	s.imports = dataimport.New(s.importKinds()...)
	return s.described(nil)
}

// RefusedHelp describes a metric that is not shown before anything was refused.
const RefusedHelp = refusedHelp

// WatchedRequest returns a function that counts the same request in new metrics.
func WatchedRequest() func() {
	m := newMetrics("")
	return func() {
		m.Begin()
		m.End("POST", "/api/{storeCode}/customer/campaign/{campaign}/buy", 200, time.Millisecond)
	}
}

// Emissions returns which calls and jobs record which events.
var Emissions = emissions

// PrivacyHooks returns what all features store about customers, without a server's log-ins.
func PrivacyHooks() privacy.Hooks {
	r := (&server{services: testServices()}).privacyHooks()
	r.EndSessions, r.Customers.StatusChanged = nil, nil
	return r
}

// testServices returns the services of the program without a database.
func testServices() services {
	return Kinds{}.services(&purchase.Desk{Catalogue: &campaign.Catalogue{Types: campaign.RewardTypes}})
}

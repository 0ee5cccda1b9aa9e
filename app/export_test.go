package app

import "time"

// RefusedHelp describes a metric that is not shown before anything was refused.
const RefusedHelp = refusedHelp

// CertificateHelp describes a metric of servers with a certificate.
const CertificateHelp = certificateHelp

// WatchedRequest returns a function that counts the same request in new metrics.
func WatchedRequest() func() {
	m := newMetrics("")
	return func() {
		m.Begin()
		m.End("POST", "/api/{storeCode}/customer/campaign/{campaign}/buy", 200, time.Millisecond)
	}
}

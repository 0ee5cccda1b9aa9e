package contract_test

import (
	"slices"
	"testing"

	"punchcard/app"
)

// handlersByReason are the endpoints with a handler in place of an operation, by what an operation cannot do.
var handlersByReason = map[string][]string{
	"redirects": {
		"GET /api/{storeCode}/customer/unsubscribe/{token}",
		"GET /api/{storeCode}/mailing/{token}",
		"GET /api/{storeCode}/mailing/{token}/{target}",
		"GET /api/{storeCode}/journey/{token}",
		"GET /api/{storeCode}/journey/{token}/{target}",
	},
	"sends a file": {
		"GET /api/{storeCode}/admin/import-template/{file}",
		"GET /api/openapi.json",
		"GET /docs",
		"GET /docs/{file}",
	},
	"streams": {
		"GET /api/{storeCode}/level/{level}/customers",
		"GET /api/{storeCode}/admin/level/{level}/customers",
		"GET /api/{storeCode}/admin/customer/{customer}/export",
		"GET /api/{storeCode}/customer/customer/{customer}/export",
		"GET /api/event/stream",
		"GET /api/{storeCode}/event/stream",
		"GET /api/audit/log/archive/{filename}",
	},
	"streams a table": {
		"GET /api/{storeCode}/csv/customer",
		"GET /api/{storeCode}/csv/level/{level}",
		"GET /api/{storeCode}/csv/segment/{segment}",
	},
	"takes a file": {
		"POST /api/{storeCode}/admin/import/{kind}/preview",
		"POST /api/{storeCode}/admin/customer/import",
		"POST /api/{storeCode}/points/transfer/import",
		"POST /api/{storeCode}/admin/transaction/import",
		"POST /api/{storeCode}/admin/transaction/customer/assign/import",
	},
}

// maxHandlers is how many endpoints may have a handler.
const maxHandlers = 30

// A new endpoint has an operation, or a reason for a handler.
func TestHandlers(t *testing.T) {
	handlers := 0
	for _, e := range app.EndpointTable() {
		name := e.Method + " " + e.Path
		hasReason := false
		for _, names := range handlersByReason {
			hasReason = hasReason || slices.Contains(names, name)
		}
		if e.Do.IsZero() {
			handlers++
		}
		if e.Do.IsZero() != hasReason {
			t.Errorf("%s has a handler: %t, a reason for one: %t", name, e.Do.IsZero(), hasReason)
		}
	}
	t.Logf("%d endpoints have a handler", handlers)
	if handlers > maxHandlers {
		t.Errorf("%d endpoints have a handler, want %d at most", handlers, maxHandlers)
	}
}

package main

import (
	"net/http"
	"slices"
	"testing"

	"punchcard/app"
	"punchcard/core/access"
	"punchcard/core/api"
)

// Every write that members, tills or the programs of shops call says where it is measured. What administrators
// configure needs no measurement.
func TestWritesAreMeasured(t *testing.T) {
	var rows []string
	for _, e := range app.EndpointTable() {
		row := e.Method + " " + e.Path
		rows = append(rows, row)
		n := 0
		for _, listed := range measured {
			if slices.Contains(listed, row) {
				n++
			}
		}
		if isCalledByMany(&e) && n == 0 {
			t.Errorf("%s: name the scenario or the call that measures it in measured.go", row)
		}
		if n > 1 {
			t.Errorf("%s is listed more than once", row)
		}
	}
	for name, listed := range measured {
		if name != seldom && !slices.Contains(scenarioNames(), name) {
			t.Errorf("there is no scenario %s", name)
		}
		for _, row := range listed {
			if !slices.Contains(rows, row) {
				t.Errorf("%s of %s is no endpoint", row, name)
			}
		}
	}
	for _, s := range scenarios {
		if row := s.method + " " + s.pattern; s.stored != "" && s.name != "buy-hot" && s.name != "return" &&
			!slices.Contains(measured[s.name], row) {
			t.Errorf("%s is not listed as measured by %s", row, s.name)
		}
	}
}

// isCalledByMany reports whether a row writes, and is open to customers or sellers, to anyone, or to programs that
// change customers, receipts or points.
func isCalledByMany(e *api.Endpoint) bool {
	if e.Method == http.MethodGet || e.Factor.String() == api.NoWrite.String() {
		return false
	}
	resources := []string{access.Customers, access.CustomerMerges, access.Transactions, access.PointTransfers}
	return e.Access.Anyone || slices.Contains(e.Access.Roles, access.Customer) ||
		slices.Contains(e.Access.Roles, access.Seller) || slices.Contains(resources, e.Access.Resource)
}

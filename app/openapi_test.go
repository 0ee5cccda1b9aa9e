package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"punchcard/app"
)

// The description is a valid OpenAPI document that has every endpoint of the server in a section, and no other.
func TestDescriptionHasEveryEndpoint(t *testing.T) {
	server, err := url.Parse(startServer(t, "sqlite", nil))
	if err != nil {
		t.Fatal(err)
	}
	d := describedBy(t, server)
	if err := d.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	served := map[string]bool{}
	for _, e := range d.endpoints {
		served[e.Method+" "+shape(e.Path)] = true
		if route, err := d.route(e.Method, e.Path); route == nil || route.Operation.OperationID == "" {
			t.Errorf("%s %s is not described: %v", e.Method, e.Path, err)
		}
	}
	for path, item := range d.Paths.Map() {
		for method := range item.Operations() {
			if !served[method+" "+shape(path)] {
				t.Errorf("%s %s is described, but not served", method, path)
			}
		}
	}
	for _, tag := range d.Tags {
		if tag.Description == "" {
			t.Errorf("the section %s is not described", tag.Name)
		}
	}
}

// Every endpoint has a summary.
func TestEveryEndpointHasASummary(t *testing.T) {
	for _, e := range app.EndpointTable() {
		if e.Summary == "" {
			t.Errorf("%s %s has no summary", e.Method, e.Path)
		}
	}
}

// A client that has the description gets a 304 without a body.
func TestDescriptionIsKeptByItsTag(t *testing.T) {
	base := startServer(t, "sqlite", nil)
	ask := func(tag string) reply {
		request, err := http.NewRequest(http.MethodGet, base+"/api/openapi.json", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("If-None-Match", tag)
		return send(t, request)
	}
	first := ask("")
	tag := first.header.Get("Etag")
	if again := ask(tag); first.status != 200 || again.status != 304 || len(again.body) > 0 {
		t.Errorf("%d with tag %s, then %d with %d bytes", first.status, tag, again.status, len(again.body))
	}
	if other := ask(`"other"`); other.status != 200 {
		t.Errorf("another tag: %d", other.status)
	}
}

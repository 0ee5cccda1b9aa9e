package contract_test

import (
	"net/http"
	"net/url"
	"testing"

	"punchcard/app"
	"punchcard/app/servertest"
)

// The description is a valid OpenAPI document that has every endpoint of the server in a section, and no other.
func TestDescriptionHasEveryEndpoint(t *testing.T) {
	server, err := url.Parse(servertest.StartServer(t, "sqlite", nil))
	if err != nil {
		t.Fatal(err)
	}
	d := servertest.DescribedBy(t, server)
	if err := d.Validate(t.Context()); err != nil {
		t.Error(err)
	}
	served := map[string]bool{}
	for _, e := range d.Endpoints {
		served[e.Method+" "+servertest.Shape(e.Path)] = true
		if route, err := d.Route(e.Method, e.Path); route == nil || route.Operation.OperationID == "" {
			t.Errorf("%s %s is not described: %v", e.Method, e.Path, err)
		}
	}
	for path, item := range d.Paths.Map() {
		for method := range item.Operations() {
			if !served[method+" "+servertest.Shape(path)] {
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
	base := servertest.StartServer(t, "sqlite", nil)
	ask := func(tag string) reply {
		request, err := http.NewRequest(http.MethodGet, base+"/api/openapi.json", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("If-None-Match", tag)
		return servertest.Send(t, request)
	}
	first := ask("")
	tag := first.Header.Get("Etag")
	if again := ask(tag); first.Status != 200 || again.Status != 304 || len(again.Body) > 0 {
		t.Errorf("%d with tag %s, then %d with %d bytes", first.Status, tag, again.Status, len(again.Body))
	}
	if other := ask(`"other"`); other.Status != 200 {
		t.Errorf("another tag: %d", other.Status)
	}
}

package api_test

import (
	"fmt"
	"strings"
	"testing"

	"punchcard/core/access"
	"punchcard/core/api"
	"punchcard/platform/form"
)

// A server does not start with a row that lacks a declaration, or has two that may differ.
func TestDeclarations(t *testing.T) {
	tell := api.Tell(func(*api.Call) (api.Nothing, error) { return api.Nothing{}, nil })
	act := api.Act(func(*api.Writing) (api.Nothing, error) { return api.Nothing{}, nil })
	send := api.Tell(func(*api.Call) (api.File, error) { return api.File{}, nil })
	named := api.Audited("Sweep", "floor")
	for _, row := range []struct {
		endpoint api.Endpoint
		refused  string // empty for a row that is complete
	}{
		{api.Endpoint{Method: "GET", Do: tell}, ""},
		{api.Endpoint{Method: "POST", Do: act, Factor: api.Everyday, Audit: named}, ""},
		{api.Endpoint{Method: "POST", Do: tell, Factor: api.NoWrite}, ""},
		{api.Endpoint{Method: "GET", Do: send.DescribedAs(api.Media("image/png"))}, ""},
		{api.Endpoint{Method: "GET", Do: send}, "of which media type its file is"},
		{api.Endpoint{Method: "GET"}, "has no operation"},
		{api.Endpoint{Method: "GET", Do: act}, "has no name for the audit log"},
		{api.Endpoint{Method: "POST", Do: act, Audit: named}, "whether it needs a second factor"},
		{api.Endpoint{Method: "POST", Do: tell, Factor: api.Everyday}, "has no name for the audit log"},
		{api.Endpoint{Method: "POST", Do: act, Factor: api.NoWrite}, "says that it changes nothing"},
		{api.Endpoint{Method: "GET", Do: tell, Query: func(*form.Group) {}}, "says what its operation says"},
		{api.Endpoint{Method: "GET", Do: tell, Response: api.Tables}, "says what its operation says"},
	} {
		row.endpoint.Path, row.endpoint.Access = "/api/floor", access.Public()
		refused := ""
		func() {
			defer func() {
				if r := recover(); r != nil {
					refused = fmt.Sprint(r)
				}
			}()
			new(api.Server).Routes(api.Complete([]api.Endpoint{row.endpoint}))
		}()
		if !strings.Contains(refused, row.refused) || refused != "" && row.refused == "" {
			t.Errorf("%+v is refused with %q, want %q", row.endpoint, refused, row.refused)
		}
	}
}

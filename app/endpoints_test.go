package app_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"punchcard/access"
	"punchcard/api"
	"punchcard/app"
	"punchcard/platform/db/dbtest"
)

const endpointsFile = "../docs/endpoints.md"

// docs/endpoints.md is written from the table that the server uses.
func TestEndpointsDocument(t *testing.T) {
	endpoints := app.EndpointTable()
	slices.SortStableFunc(endpoints, func(a, b api.Endpoint) int { return strings.Compare(a.Path, b.Path) })
	var text strings.Builder
	text.WriteString("# Endpoints\n\nEvery endpoint and who may call it, written by `go test ./app -update` " +
		"from the table that the\nserver uses. Names in braces are path segments; " +
		"`{storeCode}` is checked after the caller.\n\n" +
		"| method | path | who |\n|---|---|---|\n")
	for _, e := range endpoints {
		fmt.Fprintf(&text, "| %s | `%s` | %s |\n", e.Method, e.Path, e.Access)
	}
	if *update {
		if err := os.WriteFile(endpointsFile, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(endpointsFile)
	if err != nil || string(written) != text.String() {
		t.Errorf("docs/endpoints.md is stale (%v): run go test ./app -update", err)
	}
}

// Every endpoint lets in the roles of its rule and nobody else.
func TestEveryEndpointHoldsItsRule(t *testing.T) {
	for _, engine := range dbtest.Engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			base := startServer(t, engine, func(c *app.Config) { c.Demo = true })
			customer := logIn(t, base, "/api/customer/login_check", "user@example.com", "loyalty")
			callers := map[access.Role]*client{
				"":                   {t: t, base: base},
				access.Administrator: logInAdmin(t, base),
				access.Customer:      customer,
				access.Seller:        logIn(t, base, "/api/seller/login_check", "seller@example.com", "open"),
			}
			own := customer.ownID()
			for _, e := range app.EndpointTable() {
				if strings.Contains(e.Path, "token/revoke") {
					continue // ends the log-ins of the test
				}
				for role, caller := range callers {
					path := strings.NewReplacer("{storeCode}", "DEFAULT", "{loginStore}", "DEFAULT", "{customer}", own,
						"{campaign}", nobody, "{level}", nobody, "{active}", "active", "{eventId}", "1").Replace(e.Path)
					want := e.Access.Check(asCaller(role))
					got := caller.send(e.Method, path, "", "").status
					logsIn := strings.Contains(e.Path, "login_check") || strings.Contains(e.Path, "token")
					denied := got == 403 || got == 401 && !logsIn
					if denied != (want != nil) || (role == "" && want != nil && got != 401) {
						t.Errorf("%s %s as %q: %d, the rule says %v", e.Method, e.Path, role, got, want)
					}
				}
			}
		})
	}
}

func asCaller(role access.Role) *access.Caller {
	if role == "" {
		return nil
	}
	return &access.Caller{Role: role, Master: true}
}

// ownID is the id of the customer who is logged in, as his token says.
func (c *client) ownID() string {
	c.t.Helper()
	return claim(c.t, c.token, "id")
}

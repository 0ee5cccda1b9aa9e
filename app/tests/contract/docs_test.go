package contract_test

import (
	"testing"

	"punchcard/app/servertest"
	"punchcard/web/webtest"
)

// A developer tries out an endpoint on the page at /docs, with a token entered there.
func TestTryOutAnEndpoint(t *testing.T) {
	t.Parallel()
	base := servertest.StartServer(t, "sqlite", nil)
	token := servertest.LogInAdmin(t, base).Token
	p := webtest.Open(t, webtest.Options{Server: base, Allow: []string{"Could not find component"}})
	p.Go("/docs")
	p.Type("Search endpoints", "list roles")
	p.WaitGone("Log in as administrator")
	p.Click("GET /api /admin /acl /role List roles")
	p.Click("Try it out")
	p.Click("Execute")
	p.WaitText("Error: Unauthorized")
	p.Click("Authorize")
	p.Type("Access token", token)
	p.Click("Execute")
	p.WaitGone("Error: Unauthorized")
	p.WaitText("Super admin")
}

package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// The command menu finds campaigns, customers and sold codes, of which the caller may see the kind.
func TestCommandMenuFindsCampaignsAndCodes(t *testing.T) {
	s := openShop(t)
	bought := "/api/DEFAULT/campaign/bought?perPage=1"
	code := s.get(t, bought, "boughtCampaigns", 0, "coupon", "code")
	buyer := s.get(t, bought, "boughtCampaigns", 0, "customerId")
	p := s.openAs(t, "cockpit", "/DEFAULT", webtest.Options{})
	settle(p)
	p.Press("Control+k")
	p.Type("Search", "barista")
	p.WaitFor("option", "Barista workshop…")
	p.Press("Enter")
	p.WaitText("Sales over time")
	p.Click("Search…") // the button
	p.Type("Search", code)
	p.WaitFor("option", code+"…")
	p.Press("Enter")
	p.WaitPath("/DEFAULT/customers/" + buyer)

	login := s.logInAs(t, administratorWithoutPermissions(t, s), firstPassword)
	nobody := s.openWith(t, "cockpit", "/DEFAULT", login, webtest.Options{})
	settle(nobody)
	nobody.Press("Control+k")
	nobody.Type("Search", "barista")
	nobody.WaitText("Nothing matches")
	nobody.WaitForNo("option", "Barista workshop…")
}

package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var startScreens = []screen{
	{app: "me", path: "/", name: "start", walk: func(t *testing.T, s *shop, p *webtest.Page) {
		p.WaitText("Your rewards")
	}},
}

var customerScreens = []screen{
	{app: "cockpit", path: "/customers", name: "customers", walk: walkCustomers},
	{
		app: "cockpit", path: "/customers/:customer", name: "customer",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			const list = "/api/DEFAULT/customer?strict=1&email=user@example.com"
			return "/customers/" + s.get(t, list, "customers", 0, "customerId")
		},
		walk: func(t *testing.T, s *shop, p *webtest.Page) { p.WaitText("Anna Nowak") },
	},
}

func walkCustomers(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("of 300")
	p.Type("Search", "anna")
	p.WaitGone("of 300")
	p.WaitText("Anna Nowak")
	p.Press("Tab")
	p.Select("Any level", "Gold")
	p.WaitText("Clear filters")
	p.Click("Clear filters")
	p.WaitText("of 300")
	p.Click("Next")
	p.WaitText("51–100 of 300")
	p.ClickRole("button", "Name")
	p.WaitText("1–50 of 300")
}

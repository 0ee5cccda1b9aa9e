package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var ruleScreens = []screen{
	{app: "cockpit", path: "/rules", name: "rules", walk: walkRules},
	{
		app: "cockpit", path: "/rules/new", name: "rule-gallery",
		walk: func(t *testing.T, s *shop, p *webtest.Page) {
			p.ClickRole("link", "Points for visiting a place…")
			p.WaitText("Latitude")
		},
	},
	{
		app: "cockpit", path: "/rules/new/:type", name: "rule-new",
		example: func(*testing.T, *shop) string { return "/rules/new/qrcode" },
		walk:    walkNewRule,
	},
	{app: "cockpit", path: "/rules/:rule", name: "rule", example: exampleRule(""), walk: walkRule},
	{
		app: "cockpit", path: "/rules/:rule/edit", name: "rule-edit", example: exampleRule("/edit"),
		walk: walkRuleEdit,
	},
}

func exampleRule(rest string) func(*testing.T, *shop) string {
	return func(t *testing.T, s *shop) string {
		t.Helper()
		const list = "/api/DEFAULT/earningRule?type=points"
		return "/rules/" + s.get(t, list, "earningRules", 0, "earningRuleId") + rest
	}
}

func walkRules(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("One point for each euro")
	p.Click("Survey is switched on")
	p.WaitText("Survey is off.")
	p.Click("Survey is switched on")
	p.WaitText("Survey is on.")
	p.Select("Any type", "Points for a product")
	p.WaitGone("One point for each euro")
}

// The code is missing at first. The page of the new rule has a code to print.
func walkNewRule(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Name", "At the counter")
	p.Type("Points", "5")
	p.Click("Limit how often a customer gets the points")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.WaitText("This is needed.")
	p.Type("Code", "COUNTER-1")
	p.Click("Save")
	p.WaitText("At the counter is saved.")
	p.WaitFor("img", "QR code of COUNTER-1")
	const list = "/api/DEFAULT/earningRule?type=qrcode&name=counter"
	if period := s.get(t, list, "earningRules", 0, "limit", "period"); period != "day" {
		t.Errorf("the limit counts by %s", period)
	}
}

func walkRule(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("1 for each unit of money")
	p.ClickRole("link", "Edit")
	p.WaitText("Points for each unit of money")
}

func walkRuleEdit(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Points for each unit of money", "2")
	p.Click("Save")
	p.WaitText("is saved.")
	p.WaitText("2 for each unit of money")
}

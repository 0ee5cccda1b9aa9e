package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var overviewScreens = []screen{
	{app: "cockpit", path: "/", name: "overview", walk: walkOverview},
}

// The figures of another period, each chart, its table, and what happens while somebody looks.
func walkOverview(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Points outstanding")
	p.WaitText("Compared with")
	p.WaitText("points a day")
	touching := webtest.Eval[[]string](p, `[...document.querySelectorAll(".figure")].filter(figure => {
		const [value, change] = [".figure-value", ".figure-change"].map(part =>
			figure.querySelector(part).getBoundingClientRect())
		return value.right + 4 > change.left && value.bottom > change.top && change.bottom > value.top
	}).map(figure => figure.innerText)`)
	if len(touching) > 0 {
		t.Errorf("figures touch their changes: %q", touching)
	}
	p.Select("Period", "Last 365 days")
	p.WaitText("points a week")
	p.Select("Period", "Last 90 days")
	p.WaitText("Compared with")
	p.Click("Coupons")
	p.WaitText("coupons a day")
	p.Click("As a table")
	p.WaitText("Coupons used")
	p.Click("As a chart")
	p.Reload()
	p.WaitText("coupons a day")
	p.WaitText("Live")

	s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/add", map[string]any{"transfer": map[string]any{
		"customer": s.get(t, "/api/DEFAULT/customer?strict=1&email=user@example.com", "customers", 0, "customerId"),
		"points":   8765,
	}}, nil)
	p.WaitText("8,765 points added")
}

// A store in which nothing has happened has a sentence in the place of figures that are all zero.
func TestEmptyOverview(t *testing.T) {
	s := openShop(t)
	code := emptyStore(t, s)
	p := s.openAs(t, "cockpit", "/"+code, webtest.Options{})
	p.WaitText("No figures yet")
	if n := webtest.Eval[int](p, `document.querySelectorAll(".figure").length`); n > 0 {
		t.Errorf("%d figures are shown", n)
	}
	p.ClickRole("link", "Import a file")
	p.WaitPath("/" + code + "/imports/new")
	p.Go("/" + code + "/reports")
	p.WaitText("No figures yet")
	p.Go("/DEFAULT")
	p.WaitText("Points outstanding")
	p.WaitGone("No figures yet")
}

// What needs attention is named and leads to where it can be changed, for those who may see it.
func TestAttention(t *testing.T) {
	s := openShop(t)
	code := emptyStore(t, s)
	var level struct{ LevelID string }
	s.call(t, s.admin, "POST", "/api/"+code+"/level/create", map[string]any{"level": map[string]any{
		"translations": map[string]any{"en": map[string]any{"name": "Friend"}}, "active": true, "conditionValue": 0,
		"reward": map[string]any{"name": "Hello", "value": 1, "code": "HI"},
	}}, &level)
	always := map[string]any{"allTimeActive": true, "allTimeVisible": true}
	s.call(t, s.admin, "POST", "/api/"+code+"/campaign", map[string]any{"campaign": map[string]any{
		"reward": "discount_code", "translations": map[string]any{"en": map[string]any{"name": "Last cake"}},
		"active": true, "costInPoints": 5, "target": "level", "levels": []any{level.LevelID},
		"pushNotificationText": "Cake", "unlimited": false, "singleCoupon": false, "limit": 5, "limitPerUser": 1,
		"coupons": []any{"CAKE"}, "campaignVisibility": always, "campaignActivity": always, "daysInactive": 0,
		"daysValid": 10,
	}}, nil)
	p := s.openAs(t, "cockpit", "/"+code, webtest.Options{})
	p.WaitText("1 coupon left")
	p.ClickRole("link", "Last cake")
	p.WaitFor("heading", "Last cake…")
	s.addAdministrator(t, "Reporter", "ola@example.org", permission("ANALYTICS", "VIEW"))
	p = s.openWith(t, "cockpit", "/"+code, s.logInAs(t, "ola@example.org", firstPassword), webtest.Options{})
	p.WaitText("Nothing needs your attention.")
}

// An empty store shows what to do first, and ticks off what is done.
func TestFirstSteps(t *testing.T) {
	s := openShop(t)
	code := emptyStore(t, s)
	p := s.openAs(t, "cockpit", "/"+code, webtest.Options{})
	p.WaitText("First steps")
	p.WaitText("Nothing needs your attention.")
	p.WaitText("Nothing has happened yet.")
	s.call(t, s.admin, "POST", "/api/"+code+"/level/create", map[string]any{"level": map[string]any{
		"translations": map[string]any{"en": map[string]any{"name": "Friend"}}, "active": true, "conditionValue": 0,
		"reward": map[string]any{"name": "Hello", "value": 1, "code": "HI"},
	}}, nil)
	p.Reload()
	p.WaitText("Done")
	p.Click("Skip How customers earn")
	p.ClickRole("link", "All ideas")
	p.WaitText("What is it for?")

	// A seller is added by those who may open a log-in that does all that sellers do.
	change := func(resource string) map[string]string { return permission(resource, "MODIFY") }
	may := []map[string]string{permission("ANALYTICS", "VIEW"), change("POS"), change("SELLER"), change("CUSTOMER"),
		change("TRANSACTION"), change("REWARD_CAMPAIGN")}
	role := s.addAdministrator(t, "Shop", "ola@example.org", may...)
	p = s.openWith(t, "cockpit", "/"+code, s.logInAs(t, "ola@example.org", firstPassword), webtest.Options{})
	p.WaitText("Where you sell")
	p.WaitGone("Who serves your customers")
	s.call(t, s.admin, "PUT", "/api/admin/acl/role/"+role,
		roleBody("Shop", append(may, permission("POINT_TRANSFER", "VIEW"))...), nil)
	webtest.Eval[bool](p, "dispatchEvent(new Event('focus'))")
	p.WaitText("Who serves your customers")
}

// Who may not see figures lands on the first screen that they may see.
func TestStartWithoutFigures(t *testing.T) {
	s := openShop(t)
	s.addAdministrator(t, "Shop", "ola@example.org", permission("CUSTOMER", "VIEW"))
	p := s.openWith(t, "cockpit", "/DEFAULT", s.logInAs(t, "ola@example.org", firstPassword), webtest.Options{})
	p.WaitText("All customers")
	p.WaitForNo("link", "Overview")
	p.WaitPath("/DEFAULT/customers")
}

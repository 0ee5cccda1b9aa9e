package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var pointsScreens = []screen{
	{app: "cockpit", path: "/owed", name: "owed", walk: walkOwed},
	{app: "cockpit", path: "/levels", name: "levels", walk: walkLevels},
	{app: "cockpit", path: "/levels/new", name: "level-new", walk: walkNewLevel},
	{app: "cockpit", path: "/levels/:level", name: "level", example: exampleLevel(""), walk: walkLevel},
	{
		app: "cockpit", path: "/levels/:level/edit", name: "level-edit", example: exampleLevel("/edit"),
		walk: walkLevelEdit,
	},
	{app: "cockpit", path: "/segments", name: "segments", walk: walkSegments},
	{app: "cockpit", path: "/segments/new", name: "segment-new", walk: walkNewSegment},
	{
		app: "cockpit", path: "/segments/:segment", name: "segment", example: exampleSegment(""),
		walk: walkSegment,
	},
	{
		app: "cockpit", path: "/segments/:segment/edit", name: "segment-edit", example: exampleSegment("/edit"),
		walk: walkSegmentEdit,
	},
}

func exampleLevel(rest string) func(*testing.T, *shop) string {
	return func(t *testing.T, s *shop) string {
		t.Helper()
		const list = "/api/DEFAULT/level?sort=conditionValue&direction=ASC"
		return "/levels/" + s.get(t, list, "levels", 1, "levelId") + rest
	}
}

func walkLevels(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Gold")
	p.Click("Gold is switched on")
	p.WaitText("Gold is off.")
	p.Click("Gold is switched on")
	p.WaitText("Gold is on.")
	p.Click("Bronze is switched on")
	p.WaitText("This is the last level to start in. It cannot be switched off.")
	p.ClickRole("button", "Members")
	p.WaitText("Silver")
}

// A new level: what is missing is shown at its field.
func walkNewLevel(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Add")
	form := p.Within("group", "Special discount 1")
	form.Type("Name of the discount", "December")
	form.Type("Percent", "30")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.WaitText("This is needed.")
	p.Type("Description (optional)", "The top.")
	p.Type("Purchases from", "5000")
	p.WaitText("Customers see it in the app.")
	p.Upload("Drop a picture here…", noPicture(t))
	p.WaitText("Choose a PNG, JPEG or GIF.")
	p.Upload("Drop a picture here…", picture(t))
	p.Within("region", "What").Type("Name", "Platinum")
	p.Click("Save")
	p.WaitText("Platinum is saved.")
	p.WaitFor("img", "Picture")
}

func walkLevel(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("10% off")
	p.Click("Members…")
	download(p)
	p.Click("More actions")
	p.Click("Delete…")
	p.WaitText("Delete the level Silver?")
	p.WaitText("as a rule to Bronze.")
	p.Click("Cancel")
}

func walkLevelEdit(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Description (optional)", "For regulars.")
	p.Upload("Picture:…", noPicture(t))
	p.WaitText("Choose a PNG, JPEG or GIF.")
	p.Upload("Picture:…", picture(t))
	p.WaitText("Saved: Picture.")
	p.Click("Save")
	p.WaitText("Silver is saved.")
	p.WaitFor("img", "Picture")
	p.WaitText("For regulars.")
}

func exampleSegment(rest string) func(*testing.T, *shop) string {
	return func(t *testing.T, s *shop) string {
		t.Helper()
		return "/segments/" + s.get(t, "/api/DEFAULT/segment?name=Regulars", "segments", 0, "segmentId") + rest
	}
}

func walkSegments(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Regulars")
	p.Click("Regulars is switched on")
	p.WaitText("Regulars is off.")
	p.Click("Regulars is switched on")
	p.WaitText("Regulars is on.")
	p.Type("Search", "birthday")
	p.WaitGone("Two purchases or more")
	p.Click("Clear filters")
	p.WaitText("Regulars")
}

// A range is the wrong way round at first, then a second group is added; then the segment is
// deleted.
func walkNewSegment(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Fill in the fields to see how many customers it reaches.")
	p.Type("Name", "Frequent")
	p.Type("At least", "9")
	p.Type("At most", "1")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.WaitText("The first number is larger than the second.")
	p.Type("At least", "0")
	p.Type("At most", "1000")
	p.WaitText("Reaches")
	p.Click("Add a group (and)")
	second := p.Within("group", "Group 2")
	second.Select("Criterion", "List of customers")
	second.Type("Customers", "user@example.com")
	p.WaitText("Reaches 1 of")
	p.Click("Save")
	p.WaitText("Frequent is saved.")
	if n := s.get(t, "/api/DEFAULT/segment?name=Frequent", "segments", 0, "customersCount"); n != "1" {
		t.Errorf("the segment has %s members", n)
	}
	p.Click("Members…")
	p.WaitText("Anna Nowak")
	p.Click("More actions")
	p.Click("Delete…")
	p.WaitText("Delete the segment Frequent?")
	p.Click("Delete")
	p.WaitText("Frequent is deleted.")
}

func walkSegment(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Number of purchases")
	p.Click("Members…")
	download(p)
}

func walkSegmentEdit(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Reaches")
	p.Type("At least", "3")
	p.Click("Save")
	p.WaitText("Regulars is saved.")
}

// walkOwed looks at what is owed, and saves its movements.
func walkOwed(t *testing.T, s *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("Points that customers hold")
	p.WaitText("By month of expiry")
	p.WaitText("In points only")
	download(p)
	gone := registerActive(t, s, "Una", "una.vik@example.org")
	s.call(t, s.admin, "POST", "/api/DEFAULT/points/transfer/add",
		map[string]any{"transfer": map[string]any{"customer": gone, "points": 70}}, nil)
	s.call(t, s.admin, "DELETE", "/api/DEFAULT/customer/"+gone, nil, nil)
	p.Reload()
	p.Click("Cancel them")
	p.Within("dialog", "Cancel them").Click("Cancel them")
	p.WaitText("70 points and 0 coupons are cancelled.")
	p.WaitForNo("button", "Cancel them")
}

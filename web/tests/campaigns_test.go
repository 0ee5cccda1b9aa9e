package tests

import (
	"strings"
	"testing"

	"punchcard/web/webtest"
)

var campaignScreens = []screen{
	{app: "cockpit", path: "/campaigns", name: "campaigns", walk: walkCampaigns},
	{app: "cockpit", path: "/campaigns/new", name: "gallery", walk: walkFirstReward},
	{
		app: "cockpit", path: "/campaigns/new/:recipe", name: "campaign-new",
		example: func(*testing.T, *shop) string { return "/campaigns/new/winback" },
		walk:    walkWinBack,
	},
	{
		app: "cockpit", path: "/campaigns/:campaign", name: "campaign",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			return "/campaigns/" + s.get(t, "/api/DEFAULT/campaign?perPage=1", "campaigns", 0, "campaignId")
		},
		walk: walkCampaign,
	},
	{
		app: "cockpit", path: "/campaigns/:campaign/edit", name: "campaign-edit",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			return "/campaigns/" + s.get(t, "/api/DEFAULT/campaign?perPage=1", "campaigns", 0, "campaignId") + "/edit"
		},
		walk: walkCampaignEdit,
	},
}

func walkCampaigns(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Birthday gift")
	p.Type("Search", "workshop")
	p.WaitGone("Birthday gift")
	p.Click("Barista workshop is switched on")
	p.WaitText("Barista workshop is off.")
	p.Click("Barista workshop is switched on")
	p.WaitText("Barista workshop is on.")
	p.Click("Clear filters")
	p.Select("Any type", "Gift")
	p.WaitGone("Barista workshop")
	p.Click("Create a reward")
	p.WaitText("What is it for?")
}

// A first reward: the name is missing at first, and the error is at its field. "Generate 100" is chosen already.
func walkFirstReward(t *testing.T, s *shop, p *webtest.Page) {
	p.ClickRole("link", "Welcome coupon…")
	p.WaitText("Reaches")
	p.Type("Name", "")
	p.Click("Save and activate")
	p.WaitText("Some fields need another value.")
	p.WaitText("This is needed.")
	p.Type("Name", "Coffee for new friends")
	p.Type("Short description (optional)", "A coffee on us.")
	p.Click("Save and activate")
	p.WaitText("Coffee for new friends is live.")
	id := s.get(t, "/api/DEFAULT/campaign?q=friends", "campaigns", 0, "campaignId")
	if left := s.get(t, "/api/DEFAULT/campaign/"+id+"/codes", "left"); left != "100" {
		t.Errorf("the campaign has %s codes", left)
	}
}

// A recipe that needs a segment creates it and makes it the audience.
func walkWinBack(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Saving also creates a segment")
	p.Click("Save switched off")
	p.WaitText("Win back is saved and switched off.")
	segments := s.get(t, "/api/DEFAULT/campaign?q=win", "campaigns", 0, "segmentNames")
	if !strings.Contains(segments, "No purchase for 90 days") {
		t.Errorf("the campaign is for %s", segments)
	}
}

func walkCampaignEdit(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("What customers see")
	p.Click("Can be bought at any time")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.Click("Can be bought at any time")
	p.Type("Price", "35")
	p.Click("Save")
	p.WaitText("is saved.")
	if price := s.get(t, "/api/DEFAULT/campaign?perPage=1", "campaigns", 0, "costInPoints"); price != "35" {
		t.Errorf("it costs %s points", price)
	}
}

// Codes are pasted with a duplicate, generated, and the unsold ones deleted; then the campaign is copied.
func walkCampaign(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Sales over time")
	p.WaitText("in the 90 days before")
	p.Click("Codes")
	p.WaitText("codes left")
	p.Click("More actions")
	p.Click("Add codes")
	p.Type("Codes (optional)", "WALK-1\nWALK-2\nWALK-1")
	p.Click("Add")
	p.WaitText("2 codes added")
	p.WaitText("More than once in the upload: 1")
	p.Click("Done")
	p.Click("Generate more")
	p.Type("How many", "0")
	p.Click("Generate")
	p.WaitText("Some fields need another value.")
	p.Type("How many", "20")
	p.Click("Generate")
	p.WaitText("20 codes are being added.")
	p.Click("More actions")
	p.Click("Delete codes that are not sold")
	p.ClickRole("button", "Delete…")
	p.WaitText("codes are deleted.")
	p.WaitText("0 codes left")
	p.Click("Copy or archive")
	p.Click("Archive")
	p.Within("dialog", "Archive Free delivery?").Click("Archive")
	p.WaitText("is archived.")
	p.Click("Copy or archive")
	p.Click("Restore")
	p.WaitText("is restored, and switched off.")
	p.Click("Copy or archive")
	p.Click("Duplicate")
	p.WaitText("This is the copy. It is switched off.")
}

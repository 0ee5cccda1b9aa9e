package tests

import (
	"maps"
	"net/url"
	"testing"

	"punchcard/web/webtest"
)

// offerReward creates a reward for everybody that costs nothing, with other members than the usual ones.
func offerReward(t *testing.T, s *shop, name string, others map[string]any) {
	t.Helper()
	campaign := map[string]any{
		"reward": "discount_code", "translations": map[string]any{"en": map[string]any{"name": name}},
		"active": true, "costInPoints": 0, "everybody": true, "unlimited": true, "pushNotificationText": "For you",
		"singleCoupon": true, "coupons": []string{"ALL"}, "daysInactive": 0, "daysValid": 30, "public": true,
	}
	maps.Copy(campaign, others)
	s.call(t, s.admin, "POST", "/api/DEFAULT/campaign", map[string]any{"campaign": campaign}, nil)
}

// offerAllReasons creates a reward for each reason that customers get.
func offerAllReasons(t *testing.T, s *shop) {
	t.Helper()
	levels := s.get(t, "/api/DEFAULT/level?sort=conditionValue&direction=DESC&perPage=1", "levels", 0, "levelId")
	offerReward(t, s, "Weekend by the sea", map[string]any{"costInPoints": 9000})
	offerReward(t, s, "Gold tasting", map[string]any{"everybody": false, "target": "level", "levels": []string{levels}})
	offerReward(t, s, "Summer picnic", map[string]any{"campaignActivity": map[string]any{
		"allTimeActive": false, "activeFrom": "2099-06-01 00:00", "activeTo": "2099-07-01 00:00"}})
	offerReward(t, s, "First hundred", map[string]any{"unlimited": false, "limit": 1, "limitPerUser": 1})
	offerReward(t, s, "Once for each", map[string]any{"unlimited": false, "limit": 100, "limitPerUser": 1})
	id := annaID(t, s)
	for _, name := range []string{"First hundred", "Once for each"} {
		campaign := s.get(t, "/api/DEFAULT/campaign?strict=1&name="+url.QueryEscape(name), "campaigns", 0, "campaignId")
		path := "/api/DEFAULT/admin/customer/" + id + "/campaign/" + campaign + "/buy"
		s.call(t, s.admin, "POST", path, nil, nil)
	}
}

// TestWhyNotYet shows the rewards out of reach below the others, each with its reasons, which also stand in the place
// of the button, in all languages, by the keyboard alone.
func TestWhyNotYet(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	offerAllReasons(t, s)
	p := s.openAs(t, "me", "/me/DEFAULT", webtest.Options{Width: 375, Height: 740})
	beyond := p.Within("region", "Not yet")
	for _, reason := range []string{"points missing", "For level", "From ", "None left", "You have had yours"} {
		beyond.WaitText(reason)
	}
	captureTall(p, "me-reasons")
	p.Resize(375, 740)
	tabTo(t, p, "link", "Weekend by the sea…")
	p.Press("Enter")
	p.WaitFor("heading", "Weekend by the sea")
	p.WaitText("points missing")
	p.WaitForNo("button", "Get it")
	captureTall(p, "me-reason")
	for language, heading := range map[string]string{
		"pl": "Jeszcze nie", "de": "Noch nicht", "fr": "Pas encore", "es": "Todavía no",
	} {
		speak(p, language)
		p.Go("/me/DEFAULT")
		p.WaitFor("region", heading)
		fits(t, p, variant{name: language})
	}
}

// captureTall looks at a page wide and narrow, light and dark, in a window that shows all of it.
func captureTall(p *webtest.Page, name string) {
	for _, v := range variants {
		p.Resize(v.width, 4600)
		p.SetTheme(v.dark)
		p.Axe()
		capture(p, name+"-"+v.name)
	}
	p.SetTheme(false)
}

package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var journeyScreens = []screen{
	{app: "cockpit", path: "/journeys", name: "journeys", prepare: writeJourney, walk: walkJourneys},
	{app: "cockpit", path: "/journeys/new/:recipe", name: "journey-new", walk: walkJourneyNew,
		example: func(*testing.T, *shop) string { return "/journeys/new/lapsed" }},
	{app: "cockpit", path: "/journeys/:journey/edit", name: "journey-edit", prepare: writeJourney,
		example: exampleJourneyEdit, walk: walkJourneyEdit},
}

// writeJourney adds a welcome with points, which is off.
func writeJourney(t *testing.T, s *shop) {
	t.Helper()
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/journey", map[string]any{"journey": map[string]any{
		"recipe": "welcome", "name": "Welcome aboard", "channels": []any{"email", "inbox"}, "delay": 1,
		"gift": map[string]any{"points": 20, "validDays": 30}, "link": "https://shop.example/hello",
		"texts": map[string]any{"en": map[string]any{
			"subject": "Welcome, {{ first_name }}",
			"content": "Hello {{ first_name }},\n\n{{ gift_points }} points are yours.\n\n{{ link }}",
			"short":   "{{ gift_points }} points are yours: {{ link }}",
		}},
	}}, nil)
}

func exampleJourneyEdit(t *testing.T, s *shop) string {
	return "/journeys/" + s.get(t, "/api/DEFAULT/admin/journey", "journeys", 0, "journeyId") + "/edit"
}

// walkJourneys turns a journey on, after a look at whom it reaches, and off.
func walkJourneys(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("Level nearly reached")
	p.WaitText("Welcome aboard")
	p.Click("Turn on")
	p.WaitText("Today it reaches 0 customers at once.")
	p.Within("dialog", "Turn on Welcome aboard?").Click("Turn on")
	p.WaitText("Turn off")
}

// walkJourneyNew writes a journey with a gift.
func walkJourneyNew(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("To customers who have not bought anything for a while.")
	p.Type("Name", "Come back")
	p.Type("Subject", "We miss you, {{ first_name }}")
	p.Type("Text of the e-mail", "Not for {{ days }} days: {{ link }}")
	p.Type("Short text", "We miss you")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.Type("Days without a purchase", "60")
	p.WaitText("We miss you, Anna")
	p.WaitText("Not for 60 days")
	p.Click("Save")
	p.WaitText("Come back is saved.")
	p.WaitPath("/DEFAULT/journeys")
	p.Go("/DEFAULT/journeys/new/points_ending")
	p.ClickRole("radio", "Points")
	p.WaitText("without other points, a customer enters once")
	p.Go("/DEFAULT/journeys/new/purchase")
	p.ClickRole("radio", "A reward")
	p.WaitText("A purchase with a coupon of such a journey starts none again")
}

// walkJourneyEdit changes the delay.
func walkJourneyEdit(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitText("Welcome, Anna")
	p.Type("Delay", "3")
	p.Click("Save")
	p.WaitText("Welcome aboard is saved.")
}

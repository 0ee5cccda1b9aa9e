package tests

import (
	"net/http"
	"testing"

	"punchcard/web/webtest"
)

var notificationScreens = []screen{
	{app: "cockpit", path: "/notifications", name: "notifications", walk: walkNotifications},
}

// The announcement of a reward is listed with its name.
func walkNotifications(t *testing.T, s *shop, p *webtest.Page) {
	s.call(t, s.admin, "POST", "/api/admin/jobs/campaign%20notifications/run", nil, nil)
	p.Reload()
	p.WaitText("Announced")
	id := s.get(t, "/api/DEFAULT/admin/notification/campaigns", "campaigns", 0, "campaignId")
	name := s.get(t, "/api/DEFAULT/campaign/"+id, "name")
	p.WaitText(name)
}

// A gateway for notifications is set where messages are, by keyboard. It is tested while it refuses, gets notifications
// and another secret, and is removed.
func TestNotificationGateway(t *testing.T) {
	s := openShop(t)
	p := s.openAs(t, "cockpit", "/DEFAULT/messages", webtest.Options{})
	receiver, status := startReceiver(t)
	tabTo(t, p, "tab", "Texts")
	p.Press("End")
	p.WaitText("Nothing was sent to the gateway")
	tabTo(t, p, "button", "Set a gateway")
	p.Press("Enter")
	p.Type("Address", "nowhere")
	p.Click("Save")
	p.WaitText("This is no web address.")
	p.Type("Address", receiver)
	p.Click("Save")
	p.WaitText("It is not shown again.")
	p.Axe()
	p.Click("I have copied it")
	p.WaitText("Set, and never shown")

	s.call(t, s.admin, "POST", "/api/DEFAULT/customer/register", map[string]any{"customer": map[string]any{
		"firstName": "Nina", "lastName": "Note", "email": "nina@example.org", "agreement1": true, "agreement2": true,
		"active": true,
	}}, nil)
	s.announceReward(t)
	status <- http.StatusServiceUnavailable
	p.Click("Test")
	p.WaitText("The gateway did not accept the test.")
	p.WaitText("Answered 503")
	p.Click("Test again")
	p.WaitText("The gateway accepted a test without notifications.")
	p.Click("Done")
	s.call(t, s.admin, "POST", "/api/admin/jobs/campaign%20notifications/run", nil, nil)
	p.Reload()
	const listed = `document.querySelector('tbody')?.innerText.includes('Delivered')`
	p.WaitUntil("a call is listed", listed)
	p.Select("Any state", "Delivered")
	p.WaitUntil("it is listed by its state", listed)
	webtest.Eval[bool](p, "(document.querySelector('tbody tr').click(), true)")
	p.WaitText("Number of the call")
	p.Axe()
	p.Click("Close")

	p.Click("More actions")
	p.Click("New signing secret")
	p.Click("Make a new secret")
	p.WaitText("It is not shown again.")
	p.Click("I have copied it")
	p.Click("More actions")
	p.Click("Remove")
	p.Within("dialog", "Remove the gateway?").Click("Remove")
	p.WaitText("The gateway is removed.")
	if url := s.get(t, "/api/DEFAULT/admin/notification/gateway", "url"); url != "" {
		t.Errorf("notifications are still sent to %s", url)
	}
}

// announceReward adds a reward for all levels, of which customers who agreed to marketing are notified.
func (s *shop) announceReward(t *testing.T) {
	t.Helper()
	for range 2 { // customers who have just joined are welcomed first
		s.call(t, s.admin, "POST", "/api/admin/jobs/campaign%20notifications/run", nil, nil)
	}
	var list struct{ Levels []struct{ LevelID string } }
	s.call(t, s.admin, "GET", "/api/DEFAULT/level", nil, &list)
	levels := make([]string, len(list.Levels))
	for i, level := range list.Levels {
		levels[i] = level.LevelID
	}
	s.call(t, s.admin, "POST", "/api/DEFAULT/campaign", map[string]any{"campaign": map[string]any{
		"reward": "gift_code", "translations": map[string]any{"en": map[string]any{"name": "Fresh bread"}},
		"active": true, "costInPoints": 5, "target": "level", "levels": levels, "pushNotificationText": "Fresh bread",
		"unlimited": true, "singleCoupon": true, "coupons": []any{"BREAD"}, "daysInactive": 0, "daysValid": 10,
		"campaignVisibility": map[string]any{"allTimeVisible": true},
		"campaignActivity":   map[string]any{"allTimeActive": true},
	}}, nil)
}

// Who may see rewards alone sees the announcements and not the gateway; who may see neither sees nothing.
func TestNotificationsByPermission(t *testing.T) {
	s := openShop(t)
	s.addAdministrator(t, "Marketing", "mia@example.org", permission("REWARD_CAMPAIGN", "VIEW"))
	login := s.logInAs(t, "mia@example.org", firstPassword)
	p := s.openWith(t, "cockpit", "/DEFAULT/notifications", login, webtest.Options{})
	p.WaitText("What reaches customers by itself")
	p.WaitForNo("link", "Messages")
	nobody := s.logInAs(t, administratorWithoutPermissions(t, s), firstPassword)
	p = s.openWith(t, "cockpit", "/DEFAULT/notifications", nobody, webtest.Options{})
	p.WaitText("You may not see this.")
}

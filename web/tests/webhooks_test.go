package tests

import (
	"fmt"
	"net/http"
	"path"
	"testing"

	"punchcard/web/webtest"
)

var webhookScreens = []screen{
	{app: "cockpit", path: "/webhooks", name: "webhooks", walk: walkWebhooks},
	{app: "cockpit", path: "/webhooks/new", name: "webhook-new", walk: walkWebhookNew},
	{app: "cockpit", path: "/webhooks/:webhook", name: "webhook", example: webhookExample, walk: walkWebhook},
	{
		app: "cockpit", path: "/webhooks/:webhook/edit", name: "webhook-edit",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			return webhookExample(t, s) + "/edit"
		},
		walk: walkWebhookEdit,
	},
}

const subscriptions = "/api/DEFAULT/webhook/subscription"

// addWebhook subscribes an address to all events and returns the id of the subscription.
func (s *shop) addWebhook(t *testing.T, name, address string) string {
	t.Helper()
	var made struct {
		ID string `json:"webhookSubscriptionId"`
	}
	s.call(t, s.admin, "POST", subscriptions, map[string]any{"webhookSubscription": map[string]any{
		"url": address, "description": name, "eventNames": []string{"*"}, "hmacEnabled": true,
	}}, &made)
	return made.ID
}

// webhookExample is a web hook whose receiver nobody has started.
func webhookExample(t *testing.T, s *shop) string {
	t.Helper()
	return "/webhooks/" + s.addWebhook(t, "CRM", "http://127.0.0.1:9/events")
}

// A switch in the list turns a web hook off and on.
func walkWebhooks(t *testing.T, s *shop, p *webtest.Page) {
	id := s.addWebhook(t, "Mailer", "http://127.0.0.1:9/mail")
	p.Reload()
	p.Click("Mailer is switched on")
	p.WaitText("Mailer is off.")
	if active := s.get(t, subscriptions+"/"+id, "active"); active != "false" {
		t.Errorf("active is %s", active)
	}
	p.Click("Mailer is switched on")
	p.WaitText("Mailer is on.")
	p.Click("Add a web hook")
	p.WaitText("Which events?")
}

// The address and the events are missing at first. The secret is shown once, and the web hook has what was chosen.
func walkWebhookNew(t *testing.T, s *shop, p *webtest.Page) {
	p.Type("Address", "nowhere")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.WaitText("This is no web address.")
	p.Type("Address", "http://127.0.0.1:9/new")
	p.Type("Name (optional)", "Shop")
	p.Select("Chosen events", "Customer registered…")
	p.Press("Escape")
	p.Click("Add a header")
	p.Type("Header", "X-Shop")
	p.Type("Value", "one")
	p.Click("Save")
	p.WaitText("It is not shown again.")
	p.Click("How to check a signature")
	p.WaitText("timingSafeEqual")
	asksBeforeClosing(t, p, "Signing secret", "whsec_")
	p.Click("I have copied it")
	p.WaitText("Nothing was sent yet")
	id := path.Base(webtest.Eval[string](p, "location.pathname"))
	names := s.get(t, subscriptions+"/"+id, "eventNames", 0)
	if names != "Platform.Domain.User.Event.CustomerWasRegistered" {
		t.Errorf("it gets %s", names)
	}
}

// The events are replaced by one under the name that older clients know.
func walkWebhookEdit(t *testing.T, s *shop, p *webtest.Page) {
	p.Click("Events under the names of older clients")
	p.Select("Chosen events", "Coupon is about to expire…")
	p.Press("Escape")
	p.Type("Address", "")
	p.Click("Save")
	p.WaitText("This is needed.")
	p.Type("Address", "http://127.0.0.1:9/other")
	p.Click("Save")
	p.WaitText("CRM is saved.")
	p.WaitText("http://127.0.0.1:9/other")
	id := path.Base(webtest.Eval[string](p, "location.pathname"))
	names := s.get(t, subscriptions+"/"+id, "eventNames", 0)
	if names != "campaign.coupon_expiration" {
		t.Errorf("it gets %s", names)
	}
}

// The receiver refuses at first: the test and the delivery say so. It is repaired, gets the event again, and the web
// hook gets another secret and is deleted.
func walkWebhook(t *testing.T, s *shop, p *webtest.Page) {
	receiver, status := startReceiver(t)
	id := s.addWebhook(t, "Stock", receiver+"/in")
	p.Go("/DEFAULT/webhooks/" + id)
	status <- http.StatusInternalServerError
	p.Click("Test")
	p.WaitText("The test event was not delivered.")
	p.WaitText("Answered 500")
	p.Click("Test again")
	p.WaitText("The test event was delivered.")
	p.Click("Done")

	s.call(t, s.admin, "POST", "/api/DEFAULT/customer/register", map[string]any{"customer": map[string]any{
		"firstName": "Hook", "lastName": "Walk", "email": "hook@example.org", "agreement1": true,
	}}, nil)
	s.commits.Until(t, "the event is delivered", func() bool {
		return s.get(t, subscriptions+"/"+id+"/deliveries?state=delivered", "total") != "0"
	})
	p.Click("Refresh")
	p.Select("Any state", "Delivered")
	p.WaitUntil("the list is filtered", `(rows => rows.length > 0 &&
		rows.every(row => row.innerText.includes('Delivered')) &&
		!document.querySelector('[aria-busy=true]'))([...document.querySelectorAll('tbody tr')])`)
	webtest.Eval[bool](p, "(document.querySelector('tbody tr').click(), true)")
	p.WaitText("Content of the event")
	number := s.get(t, subscriptions+"/"+id+"/deliveries", "deliveries", 0, "eventId")
	p.Click("Send again")
	p.WaitText("The event is being sent again.")

	p.Click("More actions")
	p.Click("Send past events again")
	p.Type("From number", number)
	p.Type("To number", "0")
	p.Click("Send again")
	p.WaitText("Some fields need another value.")
	p.Type("To number", number)
	p.Click("Send again")
	p.WaitText(fmt.Sprintf("%d event", 1))

	p.Click("More actions")
	p.Click("New signing secret")
	p.Click("Make a new secret")
	p.WaitText("It is not shown again.")
	p.Click("I have copied it")
	p.Click("More actions")
	p.Click("Delete")
	p.Click("Delete the web hook")
	p.WaitText("Stock is deleted.")
}

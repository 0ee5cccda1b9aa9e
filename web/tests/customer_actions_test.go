package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// registerActive registers a customer who can be acted on, and returns the id.
func registerActive(t *testing.T, s *shop, firstName, email string) string {
	t.Helper()
	var made struct {
		ID string `json:"customerId"`
	}
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/customer/register", map[string]any{"customer": map[string]any{
		"firstName": firstName, "lastName": "Vik", "email": email, "agreement1": true,
	}}, &made)
	s.call(t, s.admin, "POST", "/api/DEFAULT/admin/customer/"+made.ID+"/activate", nil, nil)
	return made.ID
}

// walkMovingPoints moves points to another customer, at first to nobody and then too many.
func walkMovingPoints(t *testing.T, s *shop, p *webtest.Page) {
	receiver := registerActive(t, s, "Kai", "kai.vik@example.org")
	p.Click("More actions")
	p.Click("Move points")
	d := p.Within("dialog", "Move points")
	d.Click("Move points")
	d.WaitText("To: This is needed.")
	d.Type("To", "user@example.com")
	d.WaitText("Nothing matches.") // nobody moves points to themselves
	d.Type("To", "kai.vik@example.org")
	p.ClickRole("option", "Kai Vik…")
	d.WaitText("Choose another")
	d.Type("Points", "999999")
	d.Click("Move points")
	d.WaitText("There are not enough points.")
	d.Type("Points", "25")
	d.Click("Move points")
	p.WaitText("25 points went to Kai Vik.")
	if got := s.get(t, "/api/DEFAULT/admin/customer/"+receiver+"/status", "p2pPoints"); got != "25" {
		t.Errorf("Kai has %s points of others", got)
	}
}

// walkBlockingPoints blocks points, at first too many, and gives them back.
func walkBlockingPoints(t *testing.T, s *shop, p *webtest.Page) {
	p.ClickRole("tab", "Points")
	p.WaitText("Points by expiry")
	p.Click("More actions")
	p.Click("Block points")
	d := p.Within("dialog", "Block points")
	d.Type("Points", "999999")
	d.Click("Block points")
	d.WaitText("There are not enough points.")
	d.Type("Points", "5")
	d.Click("Block points")
	p.WaitText("5 points of Anna Nowak are blocked.")
	p.Click("Give back")
	d = p.Within("dialog", "Give 5 blocked points back?")
	d.WaitText("Anna Nowak gets 5 points back.")
	d.Click("Give back")
	p.WaitText("Saved.")
	p.WaitForNo("button", "Give back")
	if blocked := s.get(t, "/api/DEFAULT/admin/customer/"+annaID(t, s)+"/status", "blockedPoints"); blocked != "0" {
		t.Errorf("%s points are blocked", blocked)
	}
}

// walkCancelling cancels a lot on the tab of points. The first attempt does not reach the server.
func walkCancelling(t *testing.T, s *shop, p *webtest.Page) {
	p.ClickRole("tab", "Points")
	p.Click("Actions for 250 points")
	p.Click("Cancel the points")
	d := p.Within("dialog", "Cancel 250 points?")
	d.WaitText("Anna Nowak loses 250 points.")
	p.Failing("/api/DEFAULT/points/transfer/", func() {
		d.Click("Cancel the points")
		d.WaitText("The server cannot be reached.")
	})
	d.Click("Cancel the points")
	p.WaitText("Saved.")
	p.WaitForNo("button", "Actions for 250 points")
	const canceled = "/api/DEFAULT/points/transfer?state=canceled&type=adding&perPage=1"
	if value := s.get(t, canceled, "transfers", 0, "value"); value != "250" {
		t.Errorf("%s points are cancelled", value)
	}
}

// walkMessagesOfCustomer reads a message that was sent to the customer, and not those to others.
func walkMessagesOfCustomer(t *testing.T, s *shop, p *webtest.Page) {
	for _, of := range []string{"user@example.com", "kai.vik@example.org"} {
		s.call(t, s.admin, "POST", "/api/DEFAULT/customer/password/reset/request", map[string]any{"username": of}, nil)
	}
	p.ClickRole("tab", "Contact")
	p.ClickRole("tab", "E-mails and SMS")
	// The latest: other walks send some, too. Its text is written when it is sent.
	p.WaitUntil("the message is sent",
		`/^Choose a new password[^]*Sent/.test(document.querySelector("tbody tr")?.innerText)`)
	webtest.Eval[bool](p, "(document.querySelector('tbody tr').click(), true)")
	message := p.Within("dialog", "A customer forgot the password")
	message.WaitText("user@example.com")
	message.WaitText("/me/DEFAULT/reset/")
	message.Click("Close")
	p.Select("Any channel", "Push")
	p.WaitText("Nothing matches.")
	p.Select("Any channel", "Any channel")
	p.WaitText("Choose a new password")
}

// walkLevelByHand sets the level by hand, at first to one that is deleted meanwhile, and lets it follow purchases
// again.
func walkLevelByHand(t *testing.T, s *shop, p *webtest.Page) {
	id := registerActive(t, s, "Ole", "ole.vik@example.org")
	var made struct {
		ID string `json:"levelId"`
	}
	s.call(t, s.admin, "POST", "/api/DEFAULT/level/create", map[string]any{"level": map[string]any{
		"translations": map[string]any{"en": map[string]any{"name": "Diamond"}}, "active": true, "conditionValue": 99999,
		"reward": map[string]any{"name": "Half", "value": 50, "code": "HALF"},
	}}, &made)
	p.Go("/DEFAULT/customers/" + id)
	p.Click("More actions")
	p.Click("Set the level by hand")
	d := p.Within("dialog", "Set the level by hand")
	d.Select("Level", "Diamond")
	s.call(t, s.admin, "DELETE", "/api/DEFAULT/level/"+made.ID, nil, nil)
	d.Click("Set level")
	d.WaitText("There is no such level.")
	d.Select("Level", "Silver")
	d.Click("Set level")
	p.WaitText("Ole Vik has the level Silver now.")
	p.WaitText("Level set by hand")
	p.Click("More actions")
	p.Click("Let the level follow purchases again")
	d = p.Within("dialog", "Remove the level set by hand?")
	d.WaitText("loses the level Silver")
	d.Click("Let the level follow purchases again")
	p.WaitText("The level of Ole Vik follows points and purchases again.")
	p.WaitGone("Level set by hand")
	if level := s.get(t, "/api/DEFAULT/customer/"+id, "level", "name"); level != "Bronze" {
		t.Errorf("the level is %s", level)
	}
}

// walkAnonymising anonymises a customer, after a second thought and an attempt that does not reach the server.
func walkAnonymising(t *testing.T, s *shop, p *webtest.Page) {
	id := registerActive(t, s, "Eva", "eva.vik@example.org")
	p.Go("/DEFAULT/customers/" + id + "?tab=record&part=privacy")
	p.Click("Anonymise …")
	d := p.Within("dialog", "Anonymise Eva Vik?")
	d.WaitText("This cannot be undone.")
	d.Click("Cancel")
	p.WaitText("Eva Vik")
	p.Click("Anonymise …")
	p.Failing("/api/DEFAULT/admin/customer/", func() {
		d.Click("Anonymise")
		d.WaitText("The server cannot be reached.")
	})
	d.Click("Anonymise")
	p.WaitText("The customer is anonymous now.")
	p.WaitFor("heading", "Without a name…")
	p.WaitForNo("button", "Anonymise …")
	if status := s.get(t, "/api/DEFAULT/customer/"+id, "status", "type"); status != "blocked" {
		t.Errorf("the customer is %s", status)
	}
}

package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var invitationScreens = []screen{
	{app: "cockpit", path: "/joining", name: "joining", walk: walkJoining},
	{app: "cockpit", path: "/invitations", name: "invitations", prepare: inviteSome, walk: walkInvitations},
	{app: "me", path: "/invite", name: "invite", prepare: inviteSome, walk: walkInvite},
}

// walkJoining looks at the poster and at the page for other sites, which none may show yet.
func walkJoining(t *testing.T, _ *shop, p *webtest.Page) {
	t.Helper()
	p.WaitFor("img", "QR code of the join page")
	p.WaitText("/me/DEFAULT")
	p.WaitText("No site may show it yet")
}

// inviteSome adds a rule for invitations, and two invitations by Anna. One of the invited has registered.
func inviteSome(t *testing.T, s *shop) {
	t.Helper()
	level := s.get(t, "/api/DEFAULT/level", "levels", 0, "id")
	s.call(t, s.admin, "POST", "/api/DEFAULT/earningRule", map[string]any{"earningRule": map[string]any{
		"type": "referral", "name": "Bring a friend", "description": "For both when a friend buys something.", "active": true,
		"allTimeActive": true, "target": "level", "levels": []string{level}, "eventName": "first_purchase",
		"rewardType": "both", "pointsAmount": 50,
	}}, nil)
	anna := s.logIn(t, "me").Token
	for _, email := range []string{"leon.mazur@example.org", "zoe.lis@example.org"} {
		s.call(t, anna, "POST", "/api/DEFAULT/invitations/invite",
			map[string]any{"invitation": map[string]any{"recipientEmail": email}}, nil)
	}
	token := s.get(t, "/api/DEFAULT/invitations?recipientEmail=leon.mazur", "invitations", 0, "token")
	s.call(t, "", "POST", "/api/DEFAULT/customer/self_register", map[string]any{"customer": map[string]any{
		"firstName": "Leon", "lastName": "Mazur", "email": "leon.mazur@example.org", "agreement1": true,
		"plainPassword": "Correct-Horse-7", "invitationToken": token,
	}}, nil)
}

func walkInvitations(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Leon Mazur")
	p.Select("Any status", "Invited")
	p.WaitGone("Leon Mazur")
	p.WaitText("zoe.lis@example.org")
	p.Click("Clear filters")
	p.WaitText("Leon Mazur")
	p.Type("E-mail of the invited", "leon")
	p.WaitGone("zoe.lis@example.org")
	p.Click("Leon Mazur")
	p.ClickRole("tab", "Contact")
	p.ClickRole("tab", "Invitations")
	p.WaitText("Invited by Anna Nowak")
	p.WaitText("No invitations")
	p.Click("Anna Nowak")
	p.WaitText("user@example.com")
	p.ClickRole("tab", "Contact")
	p.ClickRole("tab", "Invitations")
	p.WaitText("zoe.lis@example.org")
}

func walkInvite(t *testing.T, s *shop, p *webtest.Page) {
	p.WaitText("Bring a friend")
	p.Click("Send invitation")
	p.WaitText("This is needed.")
	p.Type("E-mail of your friend", "user@example.com")
	p.Click("Send invitation")
	p.WaitText("This person was invited before or is a member already.")
	p.Type("E-mail of your friend", "maja.sowa@example.org")
	p.Click("Send invitation")
	p.WaitText("Invitation sent.")
	p.WaitText("maja.sowa@example.org")
	if got := s.get(t, "/api/DEFAULT/invitations?recipientEmail=maja", "invitations", 0, "status"); got != "invited" {
		t.Errorf("the invitation is %s", got)
	}
	p.Click("Show my link")
	p.WaitText("/me/DEFAULT/register?invitation=")
}

// A friend opens the link of an invitation, registers with what is filled in already, and is tied to who invited them.
func TestRegistrationByInvitation(t *testing.T) {
	s := openShop(t)
	inviteSome(t, s)
	token := s.get(t, "/api/DEFAULT/invitations?recipientEmail=zoe.lis", "invitations", 0, "token")
	p := webtest.Open(t, webtest.Options{Server: s.base, Width: 375, Height: 740})
	p.Go("/me/DEFAULT/register?invitation=" + token)
	p.WaitText("Anna invites you.")
	p.WaitValue("E-mail", "zoe.lis@example.org")
	p.Axe()
	p.Type("First name", "Zoe")
	p.Type("Last name", "Lis")
	p.Type("Password", "Correct-Horse-7")
	p.Click("I accept the terms of the program")
	p.ClickRole("button", "Register")
	p.WaitText("Welcome, you are registered.")
	const sent = "/api/DEFAULT/invitations?recipientEmail=zoe.lis"
	if got := s.get(t, sent, "invitations", 0, "recipientName"); got != "Zoe Lis" {
		t.Errorf("the recipient is %q", got)
	}
	p.Go("/me/DEFAULT/register?invitation=" + token)
	p.WaitText("This invitation was used already")
}

package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var messageScreens = []screen{
	{app: "cockpit", path: "/messages", name: "messages", walk: walkMessages},
	{app: "cockpit", path: "/messages/:event", name: "message", example: exampleMessage, walk: walkMessage},
}

func exampleMessage(*testing.T, *shop) string { return "/messages/oloy.customer.invitation" }

// Somebody forgot the password: the message is in the mailbox of the demonstration. Then the way of sending is changed,
// by the password, and a test goes out.
func walkMessages(t *testing.T, s *shop, p *webtest.Page) {
	s.call(t, s.admin, "POST", "/api/DEFAULT/customer/password/reset/request",
		map[string]any{"username": "user@example.com"}, nil)
	p.ClickRole("tab", "Sent messages")
	p.Select("Any channel", "SMS")
	p.WaitGone("Choose a new password")
	p.Select("Any channel", "E-mail")
	p.ClickRole("cell", "Choose a new password for Loyalty program…")
	message := p.Within("dialog", "A customer forgot the password")
	message.WaitText("somebody asked for a new password")
	message.WaitText("/me/DEFAULT/reset/")
	message.Click("Close")
	p.ClickRole("tab", "Delivery")
	p.WaitText("This is a demonstration: nothing leaves it.")
	sms := p.Within("region", "SMS")
	sms.Type("Address of the gateway (optional)", "gateway")
	p.Type("Mail server (SMTP) (optional)", "mail.example.com")
	p.Click("Save")
	p.WaitText("Some fields need another value.")
	p.WaitText("This is needed.")
	sms.Type("Address of the gateway (optional)", "")
	p.Type("Address of the sender", "shop@example.com")
	p.Select("Encryption", "TLS from the beginning")
	p.Click("Save")
	p.WaitText("Enter your password to make this change.")
	p.Type("Your password", "open")
	p.Click("Save")
	p.WaitText("The settings of delivery are saved.")
	const settings = "/api/DEFAULT/admin/message/settings"
	if got := s.get(t, settings, "email", "security"); got != "tls" {
		t.Errorf("the encryption is %s", got)
	}
	p.Click("Send a test")
	test := p.Within("dialog", "Send a test")
	test.Type("E-mail", "shop")
	test.Click("Send")
	test.WaitText("This is no e-mail address.")
	test.Click("Cancel")
	p.ClickRole("tab", "Texts")
	p.WaitText("A customer forgot the password")
	p.WaitText("To sellers and administrators")
	p.ClickRole("cell", "A customer invites somebody…")
	p.WaitPath("/DEFAULT/messages/oloy.customer.invitation")
	p.WaitValue("Subject", "An invitation to {{ program_name }}")
}

// The text gets a placeholder that does not exist, then one of the list, and needs the password; it is switched off and
// on, and the original one comes back.
func walkMessage(t *testing.T, s *shop, p *webtest.Page) {
	const list = "/api/DEFAULT/message?event=oloy.customer.invitation&channel=sms&language=en"
	p.WaitText("Nora Vik invites you to Loyalty program")
	p.ClickRole("tab", "SMS")
	p.WaitText("sent as one SMS.")
	p.Type("Text", "Join {{ referrer }}! {{ link }} ")
	p.Click("Save")
	p.WaitText("The text contains a placeholder that this event does not have.")
	p.Type("Text", "Join us! {{ link }} ")
	p.Click("Who invites")
	p.WaitValue("Text", "Join us! {{ link }} {{ referrer_name }}")
	p.WaitText("Join us! https://example.com/sample Nora Vik")
	p.Type("Your password", "wrong")
	p.Click("Save")
	p.WaitText("This is not your present password.")
	p.Type("Your password", "open")
	p.Click("Save")
	p.WaitText("The texts are saved.")
	if got := s.get(t, list, "messages", 0, "content"); got != "Join us! {{ link }} {{ referrer_name }}" {
		t.Errorf("the text is %q", got)
	}
	p.Click("Send the saved text as a test")
	test := p.Within("dialog", "Send a test")
	test.Type("Phone", "+4790000001")
	test.Click("Send")
	test.WaitText("It was accepted")
	test.Click("Done")
	p.Click("Is sent")
	p.WaitText("The message is not sent any more.")
	if on := s.get(t, list, "messages", 0, "enabled"); on != "false" {
		t.Errorf("the text is switched on: %s", on)
	}
	p.Click("Is sent")
	p.WaitText("The message is sent from now on.")
	p.Click("Restore the original text")
	p.Within("dialog", "Restore the original text?").Click("Restore the original text")
	p.WaitText("The original text is back.")
	p.WaitValue("Text", "{{ referrer_name }} invites you to {{ program_name }}: {{ link }}")
}

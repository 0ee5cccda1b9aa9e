package tests

import (
	"strings"
	"testing"

	"punchcard/platform/mail/mailtest"
	"punchcard/web/webtest"
)

// A mail server says that an address does not exist. The address is listed, and one button sends to it again.
func TestRefusedAddresses(t *testing.T) {
	server := mailtest.Start(t)
	server.Refuse("ida@example.org", 550, [3]int{5, 1, 1})
	s := openShopWith(t, "--smtp", server.URL(), "--mail-from", "shop@example.com", "--public-url", "https://example.com")
	s.call(t, s.admin, "POST", "/api/DEFAULT/level/create", map[string]any{"level": map[string]any{
		"translations": map[string]any{"en": map[string]any{"name": "Base"}}, "active": true, "conditionValue": 0,
		"reward": map[string]any{"name": "B", "value": 0, "code": "B"},
	}}, nil)
	s.call(t, s.admin, "POST", "/api/DEFAULT/customer/self_register", map[string]any{"customer": map[string]any{
		"firstName": "Ida", "lastName": "Berg", "email": "ida@example.org", "agreement1": true,
		"plainPassword": "Correct-Horse-7",
	}}, nil)
	const refused = "/api/DEFAULT/admin/message/undeliverable"
	s.commits.Until(t, "the address is refused", func() bool {
		return strings.Contains(s.get(t, refused, "addresses"), "ida@example.org")
	})
	p := s.openAs(t, "cockpit", "/messages?tab=refused", webtest.Options{})
	p.WaitText("ida@example.org")
	p.Click("Send to these again")
	p.Within("dialog", "Send to one address again?").Click("Send to these again")
	p.WaitText("One address gets messages again.")
	p.WaitText("No refused addresses")
	if got := s.get(t, refused, "total"); got != "0" {
		t.Errorf("%s addresses are refused", got)
	}
}

package tests

import (
	"testing"

	"punchcard/web/webtest"
)

var keyScreens = []screen{
	{
		app: "cockpit", path: "/keys", name: "keys",
		prepare: func(t *testing.T, s *shop) {
			t.Helper()
			s.key(t)
		},
		walk: walkKeys,
	},
	{app: "cockpit", path: "/keys/new", name: "key-new", walk: walkNewKey},
	{
		app: "cockpit", path: "/keys/:key", name: "key",
		example: func(t *testing.T, s *shop) string {
			t.Helper()
			id, _ := s.key(t)
			return "/keys/" + id
		},
		walk: walkKey,
	},
}

// key makes a key that views points of sale and changes customers.
func (s *shop) key(t *testing.T) (id, secret string) {
	t.Helper()
	var made struct{ KeyID, Secret string }
	s.call(t, s.admin, "POST", "/api/admin/key", map[string]any{"key": map[string]any{
		"name": "Online shop", "stores": []string{"DEFAULT"}, "addresses": []string{"192.0.2.0/24", "::1", "127.0.0.1"},
		"permissions": []map[string]string{
			{"resource": "POS", "access": "VIEW"}, {"resource": "CUSTOMER", "access": "MODIFY"},
		},
	}}, &made)
	return made.KeyID, made.Secret
}

func walkKeys(_ *testing.T, _ *shop, p *webtest.Page) {
	p.WaitText("Online shop")
	p.WaitText("Customers (and change)")
	p.Click("New key")
	p.WaitPath("/DEFAULT/keys/new")
}

func walkNewKey(t *testing.T, _ *shop, p *webtest.Page) {
	p.Click("Create key")
	p.WaitText("This is needed.")
	p.WaitText("Choose at least one.")
	p.Type("Name", "Warehouse")
	p.Click("Points of sale: See")
	p.Type("Allowed addresses (optional)", "nowhere")
	p.Click("Create key")
	p.WaitText("Enter IP addresses or networks such as 192.0.2.0/24.")
	p.Type("Allowed addresses (optional)", "")
	p.Type("Requests per minute (optional)", "60")
	p.Type("Last day (optional)", "2099-01-31") // of UTC, which ends on the next day in the store
	p.Click("Create key")
	dialog := p.Within("dialog", "The secret of the key")
	dialog.WaitText("Copy it now")
	asksBeforeClosing(t, p, "The secret of the key", "pck_live_")
	dialog.Click("I have copied it")
	p.WaitPath("/DEFAULT/keys")
	p.WaitText("Warehouse")
	p.WaitText("31 Jan 2099")
}

func walkKey(_ *testing.T, _ *shop, p *webtest.Page) {
	p.WaitText("Begins with")
	p.Type("Name", "Web shop")
	p.Click("Points of sale: Change")
	p.Click("Save")
	p.WaitText("The key Web shop is saved.")
	p.ClickRole("cell", "Web shop…")
	p.Click("New secret")
	dialog := p.Within("dialog", "A new secret for Web shop?")
	dialog.Type("Hours for which the old secret still works", "169")
	dialog.Click("Make the secret")
	p.WaitText("168")
	dialog.Type("Hours for which the old secret still works", "2")
	dialog.Click("Make the secret")
	p.Within("dialog", "The secret of the key").Click("I have copied it")
	p.WaitText("Old secret works until")
	p.Click("Revoke")
	p.Within("dialog", "Revoke the key Web shop?").Click("Revoke the key")
	p.WaitText("The key Web shop is revoked.")
}

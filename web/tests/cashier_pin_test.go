package tests

import (
	"testing"

	"punchcard/web/webtest"
)

// choose moves in an open menu to an item by the arrow keys, and presses it.
func choose(t *testing.T, p *webtest.Page, item string) {
	t.Helper()
	p.WaitFor("menuitem", item)
	for range 20 {
		if p.Focused() == "menuitem "+item {
			p.Press("Enter")
			return
		}
		p.Press("ArrowDown")
	}
	t.Fatalf("no arrow key reaches the item %q", item)
}

// layouts captures a screen wide and narrow, light and dark.
func layouts(p *webtest.Page, name string) {
	width := p.Width()
	for _, dark := range []bool{false, true} {
		p.SetTheme(dark)
		capture(p, name+map[bool]string{true: "-dark", false: "-light"}[dark])
	}
	p.Resize(narrow.width, narrow.height)
	capture(p, name+"-narrow-dark")
	p.SetTheme(false)
	capture(p, name+"-narrow-light")
	p.Resize(width, wide.height)
}

// addAnn adds the seller Ann Berg, with a PIN.
func addAnn(t *testing.T, s *shop) {
	t.Helper()
	pos := s.get(t, "/api/DEFAULT/pos", "pos", 0, "posId")
	s.call(t, s.admin, "POST", "/api/DEFAULT/seller/register", map[string]any{"seller": map[string]any{
		"firstName": "Ann", "lastName": "Berg", "email": "ann@example.org", "plainPassword": firstPassword, "posId": pos,
		"active": true, "allowPointTransfer": true,
	}}, nil)
	var ann tokens
	s.call(t, "", "POST", "/api/DEFAULT/seller/login_check",
		map[string]string{"username": "ann@example.org", "password": firstPassword}, &ann)
	s.call(t, ann.Token, "PUT", "/api/DEFAULT/seller/pin",
		map[string]string{"pin": "2580", "currentPassword": firstPassword}, nil)
}

// Sam enrols the till, and Ann switches there by a PIN, without a mouse. An administrator revokes the till.
func TestCashierPIN(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	addAnn(t, s)
	p := webtest.Open(t, webtest.Options{Server: s.base, Width: 1100, Height: 760, Allow: []string{"400", "401", "403"}})
	p.Go("/till/DEFAULT")
	typeSignIn(t, p, "seller@example.com", "open")
	p.WaitText("Ready for the next customer")
	menu := func(name, item string) {
		t.Helper()
		p.Press("Shift+Tab") // from the field that is scanned into
		enter(t, p, "Your account: "+name)
		choose(t, p, item)
	}
	menu("Sam Seller", "Set a PIN")
	dialog := p.Within("dialog", "Set a PIN")
	dialog.Type("PIN", "1234")
	dialog.Type("Your password", "open")
	p.Press("Enter")
	dialog.WaitText("This PIN is easy to guess.")
	layouts(p, "pin-set")
	p.Axe()
	dialog.Type("PIN", "9713")
	p.Press("Enter")
	p.WaitText("Your PIN is set.")

	menu("Sam Seller", "Enrolled tills")
	dialog = p.Within("dialog", "Enrolled tills")
	dialog.WaitText("No till is enrolled.")
	enter(t, p, "Enrol this device")
	dialog.Type("Name of the till", "Front till")
	dialog.Type("Your password", "open")
	layouts(p, "pin-enrol")
	p.Press("Enter")
	p.WaitText("This device is an enrolled till now.")
	dialog.WaitText("Front till")
	layouts(p, "pin-tills")
	p.Axe()
	p.Press("Escape")

	menu("Sam Seller", "Lock the till")
	p.WaitFor("heading", "Who is at the till?")
	layouts(p, "pin-switch")
	p.Axe()
	enter(t, p, "Ann Berg")
	p.WaitFor("heading", "PIN of Ann Berg")
	p.Press("1111")
	p.Press("Enter")
	p.WaitText("The PIN is wrong.")
	layouts(p, "pin-wrong")
	p.Axe()
	p.Press("2580")
	p.Press("Enter")
	p.WaitText("Ready for the next customer")
	scan(p, annasCard)
	p.WaitFor("button", "Register receipt")
	p.WaitForNo("button", "Points") // which Ann may with her password

	revokeTill(t, s, p, menu)
}

// revokeTill locks the till without a network, and then revokes it.
func revokeTill(t *testing.T, s *shop, p *webtest.Page, menu func(name, item string)) {
	t.Helper()
	p.SetOffline(true)
	menu("Ann Berg", "Lock the till")
	p.WaitText("Switching between sellers needs the network.")
	layouts(p, "pin-offline")
	p.SetOffline(false)
	p.WaitFor("button", "Sam Seller")

	cockpit := s.openAs(t, "cockpit", "/DEFAULT/points-of-sale", webtest.Options{})
	cockpit.WaitText("Front till")
	layouts(cockpit, "pin-cockpit")
	cockpit.Axe()
	enter(t, cockpit, "Revoke Front till")
	cockpit.Within("dialog", "Revoke Front till").WaitText("are signed out")
	enter(t, cockpit, "Revoke")
	cockpit.WaitText("The till is revoked.")
	enter(t, p, "Sam Seller")
	p.WaitFor("heading", "PIN of Sam Seller")
	p.Press("9713")
	p.Press("Enter")
	p.WaitText("This device is not an enrolled till any more.")
	p.Reload()
	p.WaitFor("textbox", "E-mail")
}
